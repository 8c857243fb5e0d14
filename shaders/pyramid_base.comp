#version 460
// HistoPyramid, base: the predicate for each texel of the atlas, and how many elements it keeps.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint texel = folded_lane();
    if (texel >= push.width * push.height) {
        return;
    }
    const uint mask = keep_at(texel % push.width, texel / push.width);
    push.masks.at[texel] = mask;
    push.levels.at[texel] = bitCount(mask);
}
