// The lists of a step, as drawings read them (compute/extraction/lists.h).
#extension GL_EXT_scalar_block_layout : require
#include "shaders/shared/bindings.h"
#include "shaders/shared/extraction.h"

#define LISTED(name, number) layout(set = 0, binding = TEXELS(number)) uniform usamplerBuffer name;

// A counter; drawings only read it.
#define LISTED_COUNTER(name, number)                                                               \
    layout(set = 0, binding = number, scalar) readonly buffer Counter_##name                       \
    {                                                                                              \
        uint count, capacity, wrapped, spare;                                                      \
    }                                                                                              \
    name;

// The first sample of a brick, of so many bricks along x and y.
uvec3 listed_origin(uint brick, uint along_x, uint along_y)
{
    const uint row = brick / along_x;
    return uvec3((brick - row * along_x) * BRICK_X, (row % along_y) * BRICK_Y,
                 (row / along_y) * BRICK_Z);
}
