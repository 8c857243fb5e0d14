#version 460
// HistoPyramid, base: the predicate, and how many elements it keeps, for each lane of the stream at
// the lane's texel. The rest of the base is 0.

#include "pyramid.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    if (lane < stream_lanes()) {
        const uint mask = keep(lane);
        const uvec2 texel = texel_of(lane);
        const uint at = level_texel(level_base(), texel.x, texel.y);
        write_masks(push.masks, at, mask);
        push.levels.at[at] = bitCount(mask);
    }
}
