#version 460
// Chag, pass 2 of 3: one workgroup replaces the counts of the ranges by offsets.

#include "stream.glsl"

SHARES(blocks, BINDING_BLOCKS, uint) // one per range

layout(local_size_x = GROUP) in;

void main()
{
    uint sum = 0;
    bool wrapped = false;
    const uint ranges = min(push.lanes / STRETCH + 1, RANGES);
    for (uint first = 0; first < ranges; first += GROUP) {
        const uint range = first + group_lane();
        const uint n = range < ranges ? blocks[range] : 0;
        const uint offset = sum + group_offset(subgroup_before(n), n);
        if (range < ranges) {
            blocks[range] = offset;
        }
        wrapped = wrapped || sum + scan_total < sum;
        sum += scan_total;
        barrier();
    }
    if (group_lane() == 0) {
        counter.count = sum;
        counter.wrapped = uint(wrapped);
    }
}
