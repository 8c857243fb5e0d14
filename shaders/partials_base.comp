#version 460
// HistoPyramid with partial sums, base of a stream whose lanes stand anywhere in it: the predicate at
// each lane's texel. The rest of the base has been cleared.

#include "stream.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    if (lane < stream_lanes()) {
        const uvec2 texel = texel_of(lane);
        write_masks(push.masks, texel.y * push.width + texel.x, keep(lane));
    }
}
