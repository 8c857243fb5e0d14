#version 460
// HistoPyramid, reduction: one level from the one below.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const Level below = level_at(push.level), here = level_above(below);
    const uint texel = folded_lane();
    if (texel < here.width * here.height) {
        level_reduce(below, here, texel);
    }
}
