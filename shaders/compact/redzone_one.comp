#version 460
// Redzone 1 (Bontes & Gain 2024, algorithm 1): one workgroup does everything, so it waits only for
// its own lanes.

#define REDZONE_PARTS 4 // REDZONE_TURN / GROUP
#include "redzone.glsl"

layout(local_size_x = GROUP) in;

shared Redzone opened;

// Takes REDZONE_TURN items per iteration. So there are fewer iterations, where a device ends long
// loops (traits.loop_turns).
#define FOR_ALL(i, count)                                                                          \
    for (uint first = 0; first < (count); first += REDZONE_TURN)                                   \
        [[unroll]] for (uint i = first + group_lane(), part = 0;                        \
                        part < REDZONE_TURN / GROUP; i += GROUP, part++)

void main()
{
    if (group_lane() == 0) {
        opened = redzone_open();
        redzone_sources = 0;
        redzone_targets = 0;
    }
    group_barrier();
    const uint edge = opened.edge, k = opened.removed;
    FOR_ALL(i, k)
    {
        if (i < k) {
            redzone_mark(i, edge);
        }
    }
    group_barrier();
#ifdef IN_PLACE
    const uvec2 stored = redzone_pairs(0, k, edge);
#else
    FOR_ALL(i, k)
    {
        Orphan orphan = Orphan(false, false, 0);
        if (i < k) {
            orphan = redzone_pair(i, edge);
        }
        uint source, target;
        REDZONE_PLACE(orphan.source, redzone_sources, source)
        REDZONE_PLACE(orphan.target, redzone_targets, target)
        if (orphan.source) {
            orphans[redzone_source(source)] = orphan.value;
        }
        if (orphan.target) {
            orphans[redzone_target(target)] = orphan.value;
        }
    }
#endif
    group_barrier();
#ifndef IN_PLACE
    const uvec2 stored = uvec2(redzone_sources, redzone_targets);
#endif
    const uint orphans = stored.y;
    FOR_ALL(i, orphans)
    {
        if (i < orphans) {
#ifdef IN_PLACE
            list[removals[i]] = list[edge + i];
#else
            redzone_settle(i);
#endif
        }
    }
    if (group_lane() == 0) {
        work[REDZONE_EDGE] = edge;
        work[REDZONE_REMOVED] = k;
        work[REDZONE_SOURCES] = stored.x;
        work[REDZONE_TARGETS] = stored.y;
    }
}
