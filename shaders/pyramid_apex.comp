#version 460
// HistoPyramid, the small levels: one workgroup reduces the rest, and the top is the total.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    Level below = level_at(push.level);
    while (true) {
        const Level here = level_above(below);
        const uint size = here.width * here.height;
        for (uint texel = gl_LocalInvocationIndex; texel < size; texel += GROUP) {
            level_reduce(below, here, texel);
        }
        memoryBarrierBuffer();
        barrier();
        below = here;
        if (size == 1) {
            break;
        }
    }
    if (gl_LocalInvocationIndex == 0) {
        push.head.count = push.levels.at[below.offset];
    }
}
