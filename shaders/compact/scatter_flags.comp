#version 460
// Scan and scatter, pass 1: writes the masks of the predicate, a flag per element.

#include "masks.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    if (lane < stream_lanes()) {
        masks[lane] = keep(lane);
    }
}
