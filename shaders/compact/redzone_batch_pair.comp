#version 460
// redzone-2:in-place, phase 2: moves the i-th element of the red zone to the i-th hole. A workgroup per
// batch. It stores the orphans that it cannot settle in its own part of the red zone and of the removal
// list, and counts them: J and K of the paper.

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
    const uvec2 stored = redzone_pairs(batch.first, batch.end, work[REDZONE_EDGE]);
    if (group_lane() == 0) {
        batches[folded_group()] = stored;
        if (stored.x != 0) {
            atomicAdd(work[REDZONE_SOURCES], stored.x);
        }
        if (stored.y != 0) {
            atomicAdd(work[REDZONE_TARGETS], stored.y);
        }
    }
}
