#version 460
// OfK-Compact, pass 1 of 3: writes the masks of the predicate. ink_compact.comp and ink_settle.comp follow.

#include "masks.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    if (lane < stream_lanes()) {
        masks[lane] = keep(lane);
    }
}
