// The cubes that rays may skip. A word has the least (high half) and the greatest sample of a
// cube's cells as numbers of 16 bits (compute/casting/skips.h). The coarse cubes follow the fine
// ones.
#ifndef LIB_CUBES
#define LIB_CUBES

#include "grid.glsl"
#include "shaders/shared/casting.h"

layout(constant_id = CONSTANT_CUBE_SHIFT) const uint CUBE_SHIFT = 2;
layout(set = 0, binding = BINDING_CUBES, r32ui) readonly uniform uimageBuffer cubes;

const uint CELLS_X = DIM_X - 1, CELLS_Y = DIM_Y - 1, CELLS_Z = DIM_Z - 1;
const uint FINE_X = (CELLS_X - 1 >> CUBE_SHIFT) + 1, FINE_Y = (CELLS_Y - 1 >> CUBE_SHIFT) + 1;
const uint FINE_Z = (CELLS_Z - 1 >> CUBE_SHIFT) + 1;
const uint COARSE_X = (FINE_X - 1 >> COARSE_SHIFT) + 1, COARSE_Y = (FINE_Y - 1 >> COARSE_SHIFT) + 1;
const uint COARSE_FIRST = FINE_X * FINE_Y * FINE_Z;

// Whether the surface may be in the cube with this word. most, least: see cast_contour.
bool cube_counts(uint word, uint most, uint least)
{
    return word >> 16 <= most && (word & 0xffffu) >= least;
}

bool fine_cube_counts(uvec3 cell, uint most, uint least)
{
    const uvec3 c = cell >> CUBE_SHIFT;
    return cube_counts(imageLoad(cubes, int((c.z * FINE_Y + c.y) * FINE_X + c.x)).r, most, least);
}

bool coarse_cube_counts(uvec3 cell, uint most, uint least)
{
    const uvec3 c = cell >> (CUBE_SHIFT + COARSE_SHIFT);
    const uint at = COARSE_FIRST + (c.z * COARSE_Y + c.y) * COARSE_X + c.x;
    return cube_counts(imageLoad(cubes, int(at)).r, most, least);
}

#endif
