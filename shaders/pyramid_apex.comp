#version 460
// HistoPyramid, the small levels: one workgroup reduces the rest up to push.last. Its sum is the
// total, and says how many workgroups look their outputs up.

#define READS_BACK
#include "groups.glsl"
#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint leaves = stream_leaves(), room = push.leaves, last = push.last;
    uint offset = push.top;
    for (uint level = push.level; level < last; level++) {
        const uint fours = fours_of(leaves, level), above = fours_of(leaves, level + 1);
        const uint next = offset + fours_of(room, level);
        for (uint i = gl_LocalInvocationIndex; i < above; i += GROUP) {
            write_four(next + i, sums_above(offset, fours, i));
        }
        memoryBarrierBuffer();
        barrier();
        offset = next;
    }
    if (gl_LocalInvocationIndex == 0) {
        const uint total = leaves > 0 ? four_sum(four_at(offset)) : 0;
        push.head.count = total;
        const uint outputs = min(total, push.head.capacity);
        write_groups(WriteUints(push.blocks), lanes_for(outputs, LOOKUPS));
#ifdef STREAM_BRICKS
        write_groups(WriteUints(push.groups), lanes_for(outputs * HALO_ROWS, CLASSIFY_ROWS));
#endif
    }
}
