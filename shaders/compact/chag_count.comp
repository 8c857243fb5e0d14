#version 460
// Chag (Billeter, Olsson and Assarsson 2009), pass 1 of 3: counts the kept elements of each range.

#include "ranges.glsl"
#include "scan.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uvec2 range = range_lanes();
    uint n = 0;
    for (uint first = range.x; first < range.y; first += STRETCH) {
        [[unroll]] for (uint item = 0; item < STRETCH / GROUP; item++) {
            const uint lane = first + item * GROUP + group_lane();
            n += lane < range.y ? bitCount(keep(lane)) : 0;
        }
    }
    group_offset(subgroup_before(n), n);
    if (group_lane() == 0) {
        blocks[gl_WorkGroupID.x] = scan_total;
    }
}
