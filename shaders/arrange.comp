#version 460
// Lists are complete: how many groups does whoever works on them need?

#include "buffers.glsl"
#include "groups.glsl"
#include "shaders/shared/extraction.h"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    arrange_push push;
};

void arrange(ListHead head, WriteUints groups, uint lanes, uint each)
{
    // Several lanes per element only for bricks, of which there are at most 2^21: no product passes
    // 2^32. One lane per element: a fold of two axes covers 65535^2 groups.
    const uint all = min(head.count, head.capacity) * lanes;
    write_groups(groups, all / each + uint(all % each != 0));
}

void main()
{
    if (gl_LocalInvocationIndex != 0) {
        return;
    }
    arrange(push.head, push.groups, push.lanes, max(push.each, 1));
    if (push.second_lanes != 0) {
        arrange(push.second_head, push.second_groups, push.second_lanes, max(push.second_each, 1));
    }
    if (push.third_lanes != 0) {
        arrange(push.third_head, push.third_groups, push.third_lanes, max(push.third_each, 1));
    }
}
