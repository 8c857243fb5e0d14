#version 460
// Before elements are removed from a list: the list has the elements of the previous run.

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
