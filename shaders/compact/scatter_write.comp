#version 460
// Scan and scatter, pass 4: reads flags and offsets again, and writes the kept elements to their
// final positions.

#include "masks.glsl"

layout(local_size_x = GROUP) in;

FETCHES(levels, BINDING_LEVELS)

void main()
{
    const uint lane = folded_lane();
    const bool there = lane < stream_lanes();
    const uint mask = there ? mask_at(lane) : 0;
    const uint at = there ? texelFetch(levels, int(lane)).x : 0;
    emit(mask, mask != 0 ? element(lane) : 0, at);
}
