#version 460
// Scan and scatter, pass 1: the predicate's answers, a flag per element.

#include "stream.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    if (lane < stream_lanes()) {
        write_masks(push.masks, lane, keep(lane));
    }
}
