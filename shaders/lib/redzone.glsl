// Redzone stream compaction (Bontes & Gain 2024): takes k elements out of a list of n, in place, in
// O(k). Phase 1 marks what the red zone itself loses; phase 2 moves its i-th element to the i-th
// hole, where both are of use, and notes the orphans; phase 3 brings the orphans together. As many
// elements are left over as holes (the paper's lemma 4.2).
//
// Where we differ: orphans have room of their own, k words, so that no lane has to wait for another
// between reading a pair and noting an orphan (4.4 allows it).
//
// To be included after a push block that has `list`, `removals`, `orphans` and `room` as
// shaders/shared/redzone.h explains them.
#ifndef LIB_REDZONE
#define LIB_REDZONE

#include "buffers.glsl"
#include "grid.glsl"
#include "scan.glsl"
#include "shaders/shared/compaction.h"
#include "shaders/shared/redzone.h"

void redzone_mark(uint i, uint edge)
{
    const uint r = push.removals.at[i];
    if (r >= edge) {
        push.list.at[r] = TOMBSTONE;
    }
}

// What pair i leaves over.
struct Orphan
{
    bool source, target;
    uint value;
};

Orphan redzone_pair(uint i, uint edge)
{
    const uint a = push.list.at[edge + i], r = push.removals.at[i];
    const bool gone = a == TOMBSTONE, hole = r < edge;
    if (hole && !gone) {
        push.list.at[r] = a;
    }
    return Orphan(!hole && !gone, hole && gone, hole ? r : a);
}

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
    push.list.at[push.orphans.at[redzone_target(i)]] = push.orphans.at[redzone_source(i)];
}

// Counts the lanes of the subgroup that say so, in shared memory: where this one stands.
shared uint redzone_sources, redzone_targets;

#define REDZONE_PLACE(there, counter, place)                                                       \
    {                                                                                              \
        const uvec4 ballot = subgroupBallot(there);                                                \
        const uint count = subgroupBallotBitCount(ballot);                                         \
        uint base = 0;                                                                             \
        if (count != 0 && subgroupElect()) {                                                       \
            base = atomicAdd(counter, count);                                                      \
        }                                                                                          \
        place = subgroupBroadcastFirst(base) + subgroupBallotExclusiveBitCount(ballot);            \
    }

#endif
