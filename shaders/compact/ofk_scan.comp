#version 460
// Out-of-kernel compaction, pass 2 of 3: one workgroup replaces the counts of all blocks by
// offsets.

#include "stream.glsl"

SHARES(blocks, BINDING_BLOCKS, uint)

layout(local_size_x = GROUP) in;

void main()
{
    const uint block_count = (stream_lanes() + GROUP - 1) / GROUP;
    uint sum = 0;
    bool wrapped = false;
    for (uint first = 0; first < block_count; first += GROUP) {
        const uint block = first + group_lane();
        const uint n = block < block_count ? blocks[block] : 0;
        const uint offset = group_offset(subgroup_before(n), n);
        if (block < block_count) {
            blocks[block] = sum + offset;
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
