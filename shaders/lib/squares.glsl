// The lanes of a dispatch over the squares of pixels that may see the surface (shaders/cast/squares.comp).
#ifndef LIB_SQUARES
#define LIB_SQUARES

#include "buffers.glsl"
#include "lanes.glsl"
#include "shaders/shared/casting.h"

READS(squares, BINDING_SQUARES, uint)
COUNTER(squares_counter, BINDING_SQUARES_COUNTER)

// The lane's pixel in a picture of width x height. The lanes of a subgroup have a small square, or two of
// them. Returns false if the lane has no pixel.
bool pixel_of_lane(uint width, uint height, out uvec2 pixel)
{
    const uint listed = cast_lane() / (SPAN_SIDE * SPAN_SIDE), lane = group_lane();
    const bool there = listed < squares_counter.count;
    uint square = 0;
    if (there) {
        square = squares[listed];
    }
    pixel = uvec2(square & 0xffffu, square >> 16) * SPAN_SIDE +
            uvec2(lane & 3 | lane >> 2 & 4, lane >> 2 & 3 | lane >> 3 & 4);
    return there && pixel.x < width && pixel.y < height;
}

#endif
