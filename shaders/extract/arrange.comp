#version 460
// A list is complete: how many groups does whoever works on it need?

#include "buffers.glsl"
#include "arguments.glsl"
#include "shaders/shared/extraction.h"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    arrange_push push;
};

void main()
{
    if (gl_LocalInvocationIndex != 0) {
        return;
    }
    // Several lanes per element only for bricks, of which there are at most 2^21: no product passes
    // 2^32. One lane per element: a fold of two axes covers 65535^2 groups.
    const uint all = min(push.counter.count, push.counter.capacity) * push.lanes, each = max(push.each, 1);
    write_arguments(push.arguments, all / each + uint(all % each != 0));
}
