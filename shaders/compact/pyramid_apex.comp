#version 460
// HistoPyramid, the small levels: one workgroup reduces the rest up to own.last. Its sum is the
// total, and says how many workgroups look their outputs up.

#define READS_BACK
#include "groups.glsl"
#include "pyramid.glsl"

layout(local_size_x_id = CONSTANT_APEX) in;

void main()
{
    const uint top = make_levels(own.level, own.last, own.top, gl_WorkGroupSize.x);
    if (gl_LocalInvocationIndex == 0) {
        const uint total = stream_leaves() > 0 ? four_sum(four_at(top)) : 0;
        push.head.count = total;
        const uint outputs = min(total, push.head.capacity);
        write_groups(WriteUints(own.traverse_groups), lanes_for(outputs, LOOKUPS));
#ifdef STREAM_BRICKS
        write_groups(WriteUints(own.groups), lanes_for(outputs * HALO_ROWS, CLASSIFY_ROWS));
#endif
    }
}
