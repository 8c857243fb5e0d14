#version 460
// OfK-Compact, pass 1 of 2: writes the masks of the predicate. Pass 2 is ink_compact.comp.

#include "masks.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    if (lane < stream_lanes()) {
        masks[lane] = keep(lane);
    }
}
