#version 460
// A list is complete: how many groups does whoever works on it need?

#include "buffers.glsl"
#include "shaders/shared/extraction.h"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    arrange_push push;
};

void arrange(ListHead head, WriteUints groups, uint lanes)
{
    // Several lanes per element only for bricks, of which there are at most 2^21: no product passes
    // 2^32. One lane per element: a fold of two axes covers 65535^2 groups.
    const uint count = min(head.count, head.capacity) * lanes;
    const uint all = count / GROUP + uint(count % GROUP != 0);
    groups.at[0] = min(all, 65535u);
    groups.at[1] = all <= 65535 ? 1 : (all + 65534) / 65535;
    groups.at[2] = 1;
}

void main()
{
    if (gl_LocalInvocationIndex != 0) {
        return;
    }
    arrange(push.head, push.groups, push.lanes);
    if (push.other_lanes != 0) {
        arrange(push.other_head, push.other_groups, push.other_lanes);
    }
}
