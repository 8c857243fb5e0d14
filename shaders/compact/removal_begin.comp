#version 460
// Before a list loses elements: it has those of the run before.

#include "arguments.glsl"
#include "redzone_push.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    if (gl_LocalInvocationIndex == 0) {
        const uint n = push.kept.at[0];
        push.counter.count = n;
        write_arguments(push.arguments, lanes_for(n, REMOVAL_LANES));
    }
}
