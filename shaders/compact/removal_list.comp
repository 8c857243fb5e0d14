#version 460
// Makes a removal list: the positions of the list's elements that do not stay. A lane has
// REMOVAL_LANES elements, with ballots as in ink_collate.comp. A word stays if its top bit is
// clear; bricks and cells stay while the stream keeps them.

#include "append.glsl"
#include "redzone.glsl"

layout(local_size_x = GROUP) in;

FETCHES(list_read, BINDING_LIST)
#ifdef STREAM_BRICKS
#define LANE_ELEMENTS 1
#endif
#ifdef STREAM_CELLS
#define LANE_ELEMENTS 32
#endif
#ifndef STREAM_WORDS
READS(now, BINDING_NOW, uint)
#endif

bool stays(uint element)
{
#ifdef STREAM_WORDS
    return (element & WORD_INVALID) == 0;
#else
    return (now[element / LANE_ELEMENTS] >> element % LANE_ELEMENTS & 1) != 0;
#endif
}

void main()
{
    const uint n = kept[0], size = gl_SubgroupSize;
    const uint first =
        (folded_group() * GROUP + gl_SubgroupID * size) * REMOVAL_LANES + gl_SubgroupInvocationID;
    bool leaves[REMOVAL_LANES];
    uint places[REMOVAL_LANES];
    uint sum = 0; // elements that leave, of the subgroup
    [[unroll]] for (uint item = 0; item < REMOVAL_LANES; item++) {
        const uint i = first + item * size;
        leaves[item] = i < n && !stays(texelFetch(list_read, int(i)).x);
        const uvec4 ballot = subgroup_ballot(leaves[item]);
        places[item] = sum + subgroupBallotExclusiveBitCount(ballot);
        sum += subgroupBallotBitCount(ballot);
    }
    uint base; // where the subgroup's positions begin in the removal list
    APPEND_GROUP(removals_counter, 0, sum, base)
    [[unroll]] for (uint item = 0; item < REMOVAL_LANES; item++) {
        if (leaves[item]) {
            removals[base + places[item]] = first + item * size;
        }
    }
}
