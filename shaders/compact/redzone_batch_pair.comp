#version 460
// redzone-2:in-place, phase 2: moves the i-th element of the red zone to the i-th hole. A workgroup per
// batch. It stores its orphans in its own part of the red zone and of the removal list, and counts
// them: J and K of the paper.

#include "redzone_batch.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const RedzoneBatch batch = redzone_batch();
    if (folded_group() >= batch.all) {
        return;
    }
    if (group_lane() == 0) {
        redzone_sources = 0;
        redzone_targets = 0;
    }
    barrier();
    const uint edge = work[REDZONE_EDGE];
    REDZONE_PAIRS(batch.first, batch.end, edge, 1)
    barrier();
    if (group_lane() == 0) {
        batches[folded_group()] = uvec2(redzone_sources, redzone_targets);
        if (redzone_sources != 0) {
            atomicAdd(work[REDZONE_SOURCES], redzone_sources);
        }
        if (redzone_targets != 0) {
            atomicAdd(work[REDZONE_TARGETS], redzone_targets);
        }
    }
}
