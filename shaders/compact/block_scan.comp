#version 460
// Block methods, pass 2 of 3: one workgroup replaces the counts of all tiles by offsets. Tiles are
// so large that even 2^32 elements have few tiles.

#include "blocks.glsl"
#include "scan_counts.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    scan_counts(tile_count());
}
