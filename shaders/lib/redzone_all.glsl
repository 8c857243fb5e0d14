// All phases of Redzone in one workgroup, which waits only for itself (Bontes & Gain 2024,
// algorithm 1).
//
// To be included as redzone.glsl, after the push block, and after defining how many removals a TURN
// of a loop does: so many that the turns of all loops stay below 65,535, where llvmpipe ends them.
#ifndef LIB_REDZONE_ALL
#define LIB_REDZONE_ALL

#include "redzone.glsl"

#extension GL_KHR_memory_scope_semantics : require

#define FOR_ALL(i, count)                                                                          \
    for (uint first = 0; first < (count); first += TURN)                                           \
        [[unroll]] for (uint i = first + gl_LocalInvocationIndex, part = 0; part < TURN / GROUP;   \
                        i += GROUP, part++)

// Everything that the workgroup has stored is there for all of it.
void meet()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup,
                   gl_StorageSemanticsShared | gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquireRelease);
}

// One lane, some time before the rest and a meeting.
void redzone_begin()
{
    redzone_sources = 0;
    redzone_targets = 0;
}

// All lanes, with the same arguments, once all have met.
void redzone_all(uint edge, uint k)
{
    FOR_ALL(i, k)
    {
        if (i < k) {
            redzone_mark(i, edge);
        }
    }
    meet();
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
            push.orphans.at[redzone_source(source)] = orphan.value;
        }
        if (orphan.target) {
            push.orphans.at[redzone_target(target)] = orphan.value;
        }
    }
    meet();
    const uint orphans = redzone_targets;
    FOR_ALL(i, orphans)
    {
        if (i < orphans) {
            redzone_settle(i);
        }
    }
}

#endif
