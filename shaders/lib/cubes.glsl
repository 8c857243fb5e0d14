// The cubes that rays may skip. A word has the least (high half) and the greatest sample of a
// cube's cells as numbers of 16 bits (compute/casting/skips.h). The coarse cubes follow the fine
// ones.
#ifndef LIB_CUBES
#define LIB_CUBES

#include "contours.glsl"
#include "grid.glsl"
#include "many.glsl"
#include "shaders/shared/casting.h"

layout(constant_id = CONSTANT_CUBE_SHIFT) const uint CUBE_SHIFT = 2;
layout(set = 0, binding = BINDING_CUBES, r32ui) readonly uniform uimageBuffer cubes;

const uint CELLS_X = DIM_X - 1, CELLS_Y = DIM_Y - 1, CELLS_Z = DIM_Z - 1;
const uint FINE_X = (CELLS_X - 1 >> CUBE_SHIFT) + 1, FINE_Y = (CELLS_Y - 1 >> CUBE_SHIFT) + 1;
const uint FINE_Z = (CELLS_Z - 1 >> CUBE_SHIFT) + 1;
const uint COARSE_X = (FINE_X - 1 >> COARSE_SHIFT) + 1, COARSE_Y = (FINE_Y - 1 >> COARSE_SHIFT) + 1;
const uint COARSE_FIRST = FINE_X * FINE_Y * FINE_Z;

// Whether the contour may be in the cube with this word.
bool cube_has(uint word, cast_contour contour)
{
    return word >> 16 <= contour.cubes_most && (word & 0xffffu) >= contour.cubes_least;
}

// Whether the first contour, or with CAST_MANY any contour, may be in the cube with this word.
bool cube_counts(uint word, cast_contour first)
{
    bool counts = cube_has(word, first);
    if (CAST_MANY != 0) {
        for (uint i = 1; i < contours.count; i++) {
            counts = counts || cube_has(word, contours.list[i]);
        }
    }
    return counts;
}

bool fine_cube_counts(uvec3 cell, cast_contour first)
{
    const uvec3 c = cell >> CUBE_SHIFT;
    return cube_counts(imageLoad(cubes, int((c.z * FINE_Y + c.y) * FINE_X + c.x)).r, first);
}

bool coarse_cube_counts(uvec3 cell, cast_contour first)
{
    const uvec3 c = cell >> (CUBE_SHIFT + COARSE_SHIFT);
    const uint at = COARSE_FIRST + (c.z * COARSE_Y + c.y) * COARSE_X + c.x;
    return cube_counts(imageLoad(cubes, int(at)).r, first);
}

#endif
