#version 460
// Scan and scatter, pass 3: adds the offset of each block to all entries of the block, level by
// level, from the second-highest level of the scan down to the lanes.

#include "scan_levels.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    scan_levels_find();
    const uint block = folded_group(), at = folded_lane();
    if (at >= scan_here.entries) {
        return;
    }
    const uint offset = blocks[scan_above.offset + block];
    if (own.level == 0) {
        levels[at] += offset;
    } else {
        blocks[scan_here.offset + at] += offset;
    }
}
