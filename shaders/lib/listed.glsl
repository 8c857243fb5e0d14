// The lists of a step, as drawings read them (compute/extraction/lists.h).
#include "shaders/lib/buffers.glsl"
#include "shaders/shared/extraction.h"

// The first sample of a brick, of so many bricks along x and y.
uvec3 listed_origin(uint brick, uint along_x, uint along_y)
{
    const uint row = brick / along_x;
    return uvec3((brick - row * along_x) * BRICK_X, (row % along_y) * BRICK_Y,
                 (row / along_y) * BRICK_Z);
}
