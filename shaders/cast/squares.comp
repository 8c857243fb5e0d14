#version 460
// Lists the squares of pixels that may see the surface, in any order: those that have a span. An entry has
// the square's column and, in the high half, its row. The span of each listed square is widened by the span
// for all squares (shaders/shared/casting.h).
//
// With LEAPS, which is for new masks, it also computes how far rays may leap from each fine cube (cell_masks.glsl).
// A lane has a square and a strip. For each direction it tests the cubes with a side of two and of three fine
// cubes that begin at each fine cube of the strip. These are joined from rows of fine cubes: along x from words
// shifted by one and by two, along y and z from the rows around.

#include "append.glsl"
#include "cell_masks.glsl"
#include "lanes.glsl"
#include "shaders/shared/casting.h"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    squares_push push;
};

layout(constant_id = CONSTANT_LEAPS) const uint LEAPS = 0;

BUFFER(restrict, spans, BINDING_SPANS, uvec2) // a lane writes its own span; all read the last one
WRITES(squares, BINDING_SQUARES, uint)
RAISED_COUNTER(squares_counter, BINDING_SQUARES_COUNTER)

#ifdef FIELD_IMAGE
BUFFER(, masks, BINDING_CELL_MASKS, uvec2)
#define MASK(number) masks[number]
#else
layout(set = 0, binding = BINDING_CELL_MASKS, rg32ui) uniform uimageBuffer masks;
#define MASK(number) imageLoad(masks, int(number)).xy
#endif

void store_mask(uint number, uvec2 leaps)
{
#ifdef FIELD_IMAGE
    masks[number] = leaps;
#else
    imageStore(masks, int(number), uvec4(leaps, 0, 0));
#endif
}

// The bits of the cubes of a strip that the isovalue meets; 0 outside the volume.
uvec2 strip_at(uint along, uint y, uint z)
{
    return along < STRIPS_X && y < FINES_Y && z < FINES_Z ? MASK(strip_number(along, y, z)) : uvec2(0);
}

// The bits of a strip, shifted along x by n cubes. next(): bit i is the bit of cube i + n. previous(): it is the
// bit of cube i - n. The bits that a shift needs from outside come from the next strip or the one before.
uvec2 next(uvec2 own, uvec2 after, uint n)
{
    return uvec2(own.x >> n | own.y << (32 - n), own.y >> n | after.x << (32 - n));
}

uvec2 previous(uvec2 own, uvec2 before, uint n)
{
    return uvec2(own.x << n | before.y >> (32 - n), own.y << n | own.x >> (32 - n));
}

void store_leaps(uint strip)
{
    const uint row = strip / STRIPS_X, along = strip % STRIPS_X, y = row % FINES_Y, z = row / FINES_Y;
    uvec2 twos[8], threes[8]; // by direction: whether a cube has something that the isovalue meets
    [[unroll]] for (uint k = 0; k < 8; k++) {
        twos[k] = uvec2(0);
        threes[k] = uvec2(0);
    }
    uvec2 here = uvec2(0);
    [[unroll]] for (int dz = -2; dz <= 2; dz++) {
        [[unroll]] for (int dy = -2; dy <= 2; dy++) {
            const uvec2 own = strip_at(along, y + dy, z + dz);
            uvec2 before = uvec2(0), after = uvec2(0);
            if (STRIPS_X > 1) {
                before = strip_at(along - 1, y + dy, z + dz);
                after = strip_at(along + 1, y + dy, z + dz);
            }
            const uvec2 two[2] = uvec2[2](own | previous(own, before, 1), own | next(own, after, 1));
            const uvec2 three[2] = uvec2[2](two[0] | previous(own, before, 2), two[1] | next(own, after, 2));
            [[unroll]] for (uint k = 0; k < 8; k++) {
                const int up_y = (k & 2) != 0 ? dy : -dy, up_z = (k & 4) != 0 ? dz : -dz;
                if (up_y >= 0 && up_z >= 0) {
                    threes[k] |= three[k & 1];
                }
                if (up_y >= 0 && up_z >= 0 && up_y < 2 && up_z < 2) {
                    twos[k] |= two[k & 1];
                }
            }
            if (dy == 0 && dz == 0) {
                here = own;
            }
        }
    }
    [[unroll]] for (uint k = 0; k < 8; k++) {
        const uvec2 low = ~here & (twos[k] | ~threes[k]), high = ~twos[k];
        const uint number = leaps_number(uvec3(along * STRIP, y, z), k);
        store_mask(number, uvec2(low.x, high.x));
        store_mask(number + 1, uvec2(low.y, high.y));
    }
}

void main()
{
    const uint square = folded_lane(), strip = square, across = push.across, all = across * push.down;
    uvec2 span = uvec2(SPAN_NONE);
    if (square < all) {
        span = min(spans[square], spans[all]);
    }
    const bool sees = span.x != SPAN_NONE;
    const uvec4 ballot = subgroup_ballot(sees);
    const uint sum = subgroupBallotBitCount(ballot), before = subgroupBallotExclusiveBitCount(ballot);
    uint first;
    APPEND(squares_counter, sum, first)
    RAISE(squares_counter, 0, first, RAISED_SUM(sum))
    if (sees) {
        spans[square] = span;
        squares[first + before] = square % across | square / across << 16;
    }
    if (LEAPS != 0 && strip < push.strips) {
        store_leaps(strip);
    }
}
