#version 460
// Redzone 2, phase 2: moves the i-th element of the red zone to the i-th hole. One lane per
// removal. A workgroup allocates space for its orphans with one atomic for sources and one for
// targets, instead of the paper's prefix sums and load balancing.

#include "redzone.glsl"

layout(local_size_x = GROUP) in;

shared uint sources_base, targets_base;

void main()
{
    if (group_lane() == 0) {
        redzone_sources = 0;
        redzone_targets = 0;
    }
    barrier();
    const uint i = folded_lane();
    Orphan orphan = Orphan(false, false, 0);
    if (i < work[REDZONE_REMOVED]) {
        orphan = redzone_pair(i, work[REDZONE_EDGE]);
    }
    uint source, target;
    REDZONE_PLACE(orphan.source, redzone_sources, source)
    REDZONE_PLACE(orphan.target, redzone_targets, target)
    barrier();
    if (group_lane() == 0 && redzone_sources != 0) {
        sources_base = atomicAdd(work[REDZONE_SOURCES], redzone_sources);
    }
    if (group_lane() == 0 && redzone_targets != 0) {
        targets_base = atomicAdd(work[REDZONE_TARGETS], redzone_targets);
    }
    barrier();
    if (orphan.source) {
        orphans[redzone_source(sources_base + source)] = orphan.value;
    }
    if (orphan.target) {
        orphans[redzone_target(targets_base + target)] = orphan.value;
    }
}
