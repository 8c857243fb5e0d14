// How drawings read the lists of extraction (compute/extraction/lists.h).
#include "shaders/lib/buffers.glsl"
#include "shaders/shared/extraction.h"

// The first sample of a brick, if there are along_x by along_y bricks in a
// layer.
uvec3 listed_origin(uint brick, uint along_x, uint along_y)
{
    const uint row = brick / along_x;
    return uvec3((brick - row * along_x) * BRICK_X, (row % along_y) * BRICK_Y,
                 (row / along_y) * BRICK_Z);
}
