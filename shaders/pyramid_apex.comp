#version 460
// HistoPyramid, the small levels: one workgroup reduces the rest, and the top is the total.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    Level level = level_at(push.level);
    while (level.width * level.height > 1) {
        const Level here = level_above(level);
        const uint size = here.width * here.height;
        for (uint texel = gl_LocalInvocationIndex; texel < size; texel += GROUP) {
            push.levels.at[here.offset + texel] =
                level_sum(level, texel % here.width, texel / here.width);
        }
        memoryBarrierBuffer();
        barrier();
        level = here;
    }
    if (gl_LocalInvocationIndex == 0) {
        push.head.count = push.levels.at[level.offset];
    }
}
