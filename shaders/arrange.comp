#version 460
// A list is complete: how many groups does whoever works on it need?

#include "buffers.glsl"
#include "groups.glsl"
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
    write_groups(groups, min(head.count, head.capacity) * lanes);
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
