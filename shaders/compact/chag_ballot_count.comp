#version 460
// Chag with masks, pass 1 of 3: counts the kept elements of each range, and writes a bit per
// element.

#include "ranges.glsl"
#include "masks.glsl"
#include "scan.glsl"

layout(local_size_x = GROUP) in;

// For lanes of 32 elements: a mask is a word.
uint count_lanes(uvec2 range)
{
    uint n = 0;
    for (uint lane = range.x + group_lane(); lane < range.y; lane += GROUP) {
        const uint mask = keep(lane);
        masks[lane] = mask;
        n += bitCount(mask);
    }
    return n;
}

// For lanes of one element: small subgroups need several ballots for a word of bits, large
// subgroups get several words from one ballot.
uint count_ballots(uvec2 range)
{
    const uint bits = max(gl_SubgroupSize, 32);
    uint n = 0;
    for (uint first = range.x + gl_SubgroupID * bits; first < range.y;
         first += gl_NumSubgroups * bits) {
        uvec4 words = uvec4(0);
        for (uint bit = 0; bit < bits; bit += gl_SubgroupSize) {
            const uint lane = first + bit + gl_SubgroupInvocationID;
            const uint mask = lane < range.y ? keep(lane) : 0;
            const uvec4 ballot = subgroup_ballot(mask != 0);
            words = bits == gl_SubgroupSize ? ballot : words | ballot << bit;
            n += mask;
        }
        const uint word = gl_SubgroupInvocationID;
        if (word < bits / 32 && first + word * 32 < range.y) {
            masks[first / 32 + word] = words[word];
        }
    }
    return n;
}

void main()
{
    const uvec2 range = range_lanes();
    const uint n = LANE_ELEMENTS == 1 ? count_ballots(range) : count_lanes(range);
    group_offset(subgroup_before(n), n);
    if (group_lane() == 0) {
        blocks[gl_WorkGroupID.x] = scan_total;
    }
}
