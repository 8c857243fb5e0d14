#version 460
// Block methods, pass 2 of 3: one workgroup replaces the counts of all tiles by offsets. Tiles are
// so large that even 2^32 elements are few tiles.

#include "blocks.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint tiles = tile_count();
    uint sum = 0;
    bool wrapped = false;
    for (uint first = 0; first < tiles; first += GROUP) {
        const uint tile = first + group_lane();
        const uint n = tile < tiles ? blocks[tile] : 0;
        const uint offset = group_offset(subgroup_before(n), n);
        if (tile < tiles) {
            blocks[tile] = sum + offset;
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
