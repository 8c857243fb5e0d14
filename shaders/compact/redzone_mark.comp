#version 460
// Redzone 2, phase 1: marks the removed elements in the red zone. A workgroup per batch.

#include "redzone_batch.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const RedzoneBatch batch = redzone_batch();
    for (uint i = batch.first + group_lane(); i < batch.end; i += GROUP) {
        redzone_mark(i, work[REDZONE_EDGE]);
    }
}
