// The grid of the volume and its bricks. Sizes are specialization constants, so divisions by them
// are cheap.
#ifndef LIB_GRID
#define LIB_GRID

#extension GL_EXT_control_flow_attributes : require

#include "lanes.glsl"
#include "shaders/shared/extraction.h"

layout(constant_id = CONSTANT_DIM_X) const uint DIM_X = 2;
layout(constant_id = CONSTANT_DIM_Y) const uint DIM_Y = 2;
layout(constant_id = CONSTANT_DIM_Z) const uint DIM_Z = 2;
layout(constant_id = CONSTANT_HAS_INVALID) const uint HAS_INVALID = 0;
layout(constant_id = CONSTANT_EXTREMES) const uint EXTREMES = 1;
layout(constant_id = CONSTANT_OWN_FIRST) const uint OWN_FIRST = 0;
layout(constant_id = CONSTANT_OWN_LAST) const uint OWN_LAST = 1;
layout(constant_id = CONSTANT_OWN_Y_FIRST) const uint OWN_Y_FIRST = 0;
layout(constant_id = CONSTANT_OWN_Y_LAST) const uint OWN_Y_LAST = 1;

const uint BRICKS_X = (DIM_X + BRICK_X - 1) / BRICK_X;
const uint BRICKS_Y = (DIM_Y + BRICK_Y - 1) / BRICK_Y;
const uint BRICKS_Z = (DIM_Z + BRICK_Z - 1) / BRICK_Z;

// The brick's first sample.
uvec3 brick_origin(uint brick)
{
    const uint row = brick / BRICKS_X;
    return uvec3((brick - row * BRICKS_X) * BRICK_X, (row % BRICKS_Y) * BRICK_Y,
                 (row / BRICKS_Y) * BRICK_Z);
}

// The low n bits, n from 0 to 32.
uint low_bits(uint n)
{
    return n >= 32 ? 0xffffffffu : (1u << n) - 1;
}

// A bit for each sample, or cell, of a row that is in the volume and belongs to the atlas. For a row
// before the first own one the unsigned difference wraps to a large number, so the test fails, too.
uint row_samples(uvec3 origin, uint y, uint z)
{
    return origin.y + y - OWN_Y_FIRST <= OWN_Y_LAST - OWN_Y_FIRST &&
                   origin.z + z - OWN_FIRST <= OWN_LAST - OWN_FIRST
               ? low_bits(DIM_X - origin.x)
               : 0;
}

uint row_cells(uvec3 origin, uint y, uint z)
{
    return origin.y + y - OWN_Y_FIRST < OWN_Y_LAST - OWN_Y_FIRST &&
                   origin.z + z - OWN_FIRST < OWN_LAST - OWN_FIRST
               ? low_bits(DIM_X - 1 - origin.x)
               : 0;
}

#endif
