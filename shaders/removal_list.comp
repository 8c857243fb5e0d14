#version 460
// Makes a removal list: the positions of the list's elements that do not stay. One lane per
// element; ballots as in ink_collate.comp. Words go by their top bit, bricks and cells stay while
// the stream keeps them.

#include "buffers.glsl"
#include "lists.glsl"
#include "outputs.glsl"
#include "redzone_push.glsl"

layout(local_size_x = GROUP) in;

#ifdef STREAM_BRICKS
#define list_at(i)    bricks_at(i)
#define LANE_ELEMENTS 1
#endif
#ifdef STREAM_CELLS
#define list_at(i)    cells_at(i)
#define LANE_ELEMENTS 32
#endif
#ifdef STREAM_WORDS
layout(set = 0, binding = BINDING_WORDS) uniform usamplerBuffer words;
#define list_at(i) (BOUND != 0 ? texelFetch(words, int(i)).x : push.list.at[i])
#endif

bool stays(uint element)
{
#ifdef STREAM_WORDS
    return (element & WORD_INVALID) == 0;
#else
    return (push.masks.at[element / LANE_ELEMENTS] >> element % LANE_ELEMENTS & 1) != 0;
#endif
}

shared uint base;

void main()
{
    const uint i = folded_lane();
    const bool leaves = i < push.kept.at[0] && !stays(list_at(i));
    const uint offset = group_offset(ballot_scan(uint(leaves), 1), uint(leaves));
    if (gl_LocalInvocationIndex == 0 && scan_total != 0) {
        base = atomicAdd(push.removals_head.count, scan_total);
    }
    barrier();
    if (leaves) {
        push.removals.at[base + offset] = i;
    }
}
