// Redzone stream compaction (Bontes & Gain 2024): removes k elements from a list of n, in place, in
// O(k). Phase 1 marks the removed elements of the red zone. Phase 2 moves the i-th element of the
// zone to the i-th hole if the element stays and the hole is before the zone. Otherwise it stores
// an orphan: an element without a hole, or a hole without an element. Phase 3 moves the orphaned
// elements to the orphaned holes; there are equally many of both (lemma 4.2).
//
// Orphans are stored in separate memory of k words, so no lane has to wait between reading a pair and
// storing an orphan (section 4.4 of the paper allows this). With IN_PLACE they are stored where the
// pairs were read: elements in the red zone, holes in the removal list.
#ifndef LIB_REDZONE
#define LIB_REDZONE

#include "buffers.glsl"
#include "grid.glsl"
#include "scan.glsl"
#include "shaders/shared/compaction.h"
#include "shaders/shared/redzone.h"

layout(push_constant, scalar) uniform Push
{
    redzone_push push;
};

COUNTER(counter, BINDING_COUNTER)
SHARES(list, BINDING_LIST, uint)
COUNTER(removals_counter, BINDING_REMOVALS_COUNTER)
SHARES(removals, BINDING_REMOVALS, uint)
SHARES(kept, BINDING_KEPT, uint)
SHARES(work, BINDING_WORK, uint)
#ifndef IN_PLACE
SHARES(orphans, BINDING_ORPHANS, uint)
#endif
SHARES(events, BINDING_EVENTS, uint)

// Begins the run, by one lane. Returns where the red zone begins, which is the length after
// removal, and the number of removed elements. If the elements that joined exceed the capacity, the
// list stays as it is, and its count says how many elements it needs.
struct Redzone
{
    uint edge, removed;
};

Redzone redzone_open()
{
    const uint n = counter.count, before = kept[0];
    const bool fits = n <= max(push.capacity, before);
    const uint k = fits ? min(removals_counter.count, n) : 0;
    counter.count = n - k;
    kept[0] = n - k;
    events[EVENT_REMOVED] = k;
    events[EVENT_ENTERED] = n - before;
    // If no element stays, no element has to be moved.
    return Redzone(n - k, k == n ? 0 : k);
}

void redzone_mark(uint i, uint edge)
{
    const uint r = removals[i];
    if (r >= edge) {
        list[r] = TOMBSTONE;
    }
}

// An orphan: an element (source), or the position of a hole (target), or none.
struct Orphan
{
    bool source, target;
    uint value;
};

Orphan redzone_pair(uint i, uint edge)
{
    const uint a = list[edge + i], r = removals[i];
    const bool gone = a == TOMBSTONE, hole = r < edge;
    if (hole && !gone) {
        list[r] = a;
    }
    return Orphan(!hole && !gone, hole && gone, hole ? r : a);
}

#ifndef IN_PLACE

uint redzone_source(uint i)
{
    return i;
}

uint redzone_target(uint i)
{
    return push.room - 1 - i;
}

void redzone_settle(uint i)
{
    list[orphans[redzone_target(i)]] = orphans[redzone_source(i)];
}

#endif

// REDZONE_PLACE adds the lanes for which `there` is true to a counter in shared memory. `place` is
// the lane's index among all counted lanes.
shared uint redzone_sources, redzone_targets;

#define REDZONE_PLACE(there, counter, place)                                                       \
    {                                                                                              \
        const uvec4 ballot = subgroup_ballot(there);                                               \
        const uint count = subgroupBallotBitCount(ballot);                                         \
        uint base = 0;                                                                             \
        if (count != 0 && subgroupElect()) {                                                       \
            base = atomicAdd(counter, count);                                                      \
        }                                                                                          \
        subgroup_join();                                                                           \
        place = subgroupBroadcastFirst(base) + subgroupBallotExclusiveBitCount(ballot);            \
    }

#ifdef IN_PLACE

// Phase 2 for the removals from `first` until `end`, by all lanes of a workgroup. It stores the
// orphans from place `first` on, and counts them in redzone_sources and redzone_targets, which must be
// 0 before. An orphan replaces only a pair that has been read, because there are never more orphans
// than pairs. `parts` is a constant: how many removals a lane takes per iteration.
#define REDZONE_PAIRS(first, end, edge, parts)                                                     \
    for (uint turn = first; turn < (end); turn += (parts) * GROUP) {                               \
        Orphan orphan[parts];                                                                      \
        uint source[parts], target[parts];                                                         \
        [[unroll]] for (uint part = 0; part < (parts); part++) {                                   \
            const uint i = turn + part * GROUP + group_lane();                                     \
            orphan[part] = Orphan(false, false, 0);                                                \
            if (i < (end)) {                                                                       \
                orphan[part] = redzone_pair(i, edge);                                              \
            }                                                                                      \
            REDZONE_PLACE(orphan[part].source, redzone_sources, source[part])                      \
            REDZONE_PLACE(orphan[part].target, redzone_targets, target[part])                      \
        }                                                                                          \
        group_barrier();                                                                           \
        [[unroll]] for (uint part = 0; part < (parts); part++) {                                   \
            if (orphan[part].source) {                                                             \
                list[edge + first + source[part]] = orphan[part].value;                            \
            }                                                                                      \
            if (orphan[part].target) {                                                             \
                removals[first + target[part]] = orphan[part].value;                               \
            }                                                                                      \
        }                                                                                          \
    }

#endif

#endif
