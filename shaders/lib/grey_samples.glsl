// The grey of the samples in a cell.
#ifndef LIB_GREY_SAMPLES
#define LIB_GREY_SAMPLES

#include "cubic.glsl"
#include "shaders/shared/casting.h"

bool corners_finite(Corners corners)
{
    bool finite = true;
    [[unroll]] for (uint i = 0; i < 8; i++) {
        finite = finite && key_finite(corners.keys[i]);
    }
    return finite;
}

uint corner_nearest(vec3 place)
{
    const uvec3 upper = uvec3(greaterThanEqual(place, vec3(0.5)));
    return upper.x | upper.y << 1 | upper.z << 2;
}

// The displayed brightness, 0 to 1, at a place in a cell.
float grey_of(grey_range range, Corners corners, vec3 place)
{
    const float values[8] = corner_values(corners, range.black);
    int exponent = 0;
    [[unroll]] for (uint i = 0; i < 8; i++) {
        exponent = max(exponent, SCALED ? key_exponent(corners.keys[i]) : 0);
    }
    const float value = range.nearest != 0 ? values[corner_nearest(place)] : cubic_of(values, place, place).x;
    const float scale = SCALED ? power_of_two(exponent - 126 - range.exponent) : 1.0;
    return clamp(value * range.white * scale, 0.0, 1.0);
}

#endif
