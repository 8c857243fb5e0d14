#version 460
// Chag with masks, pass 3 of 3: writes the kept elements of every range. It reads only the kept
// elements of the stream.

#include "ranges.glsl"
#include "masks.glsl"

uint kept(uint lane)
{
    return LANE_ELEMENTS == 1 ? mask_at(lane / 32) >> lane % 32 & 1 : mask_at(lane);
}

#define KEPT kept
#include "streaming.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uvec2 range = range_lanes();
    stream_range(range.x, range.y, blocks[gl_WorkGroupID.x]);
}
