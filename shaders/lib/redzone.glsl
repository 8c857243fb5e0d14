// Redzone stream compaction (Bontes & Gain 2024): removes k elements from a list of n, in place, in
// O(k). Phase 1 marks the removed elements of the red zone. Phase 2 moves the i-th element of the
// zone to the i-th hole if the element stays and the hole is before the zone. Otherwise it stores
// an orphan: an element without a hole, or a hole without an element. Phase 3 moves the orphaned
// elements to the orphaned holes; there are equally many of both (lemma 4.2).
//
// Orphans are stored in separate memory of k words, so no lane has to wait between reading a pair and
// storing an orphan (section 4.4 of the paper allows this). With IN_PLACE most are settled in phase 2;
// the others are stored where the pairs were read: elements in the red zone, holes in the removal list.
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

// How many removals a lane takes per iteration of phase 2.
#ifndef REDZONE_PARTS
#define REDZONE_PARTS 1
#endif
const uint REDZONE_PAIRS = REDZONE_PARTS * GROUP; // per iteration

// Orphans of an iteration: sources from the start, targets backwards from the end. There are never
// more of both than pairs.
shared uint early[REDZONE_PAIRS];

// Phase 2 for the removals from `first` until `end`, by all lanes of a workgroup. redzone_sources and
// redzone_targets must be 0 before. An iteration keeps its orphans in shared memory, as section 6 of the paper
// proposes. There it pairs sources with targets until one kind is used up. It stores what is left of the
// other kind, from place `first` on. These places were read before. Returns how many sources and targets it
// stored.
uvec2 redzone_pairs(uint first, uint end, uint edge)
{
    uvec2 stored = uvec2(0), before = uvec2(0);
    for (uint turn = first; turn < end; turn += REDZONE_PAIRS) {
        [[unroll]] for (uint part = 0; part < REDZONE_PARTS; part++) {
            const uint i = turn + part * GROUP + group_lane();
            Orphan orphan = Orphan(false, false, 0);
            if (i < end) {
                orphan = redzone_pair(i, edge);
            }
            uint source, target;
            REDZONE_PLACE(orphan.source, redzone_sources, source)
            REDZONE_PLACE(orphan.target, redzone_targets, target)
            if (orphan.source || orphan.target) {
                early[orphan.source ? source - before.x : REDZONE_PAIRS - 1 - (target - before.y)] =
                    orphan.value;
            }
        }
        group_barrier();
        const uvec2 all = uvec2(redzone_sources, redzone_targets), orphans = all - before;
        const uint both = min(orphans.x, orphans.y);
        for (uint i = group_lane(); i < max(orphans.x, orphans.y); i += GROUP) {
            const uint target = early[REDZONE_PAIRS - 1 - i];
            if (i < orphans.x) {
                list[i < both ? target : edge + first + stored.x + i - both] = early[i];
            } else {
                removals[first + stored.y + i - both] = target;
            }
        }
        stored += orphans - both;
        before = all;
        barrier();
    }
    return stored;
}

#endif

#endif
