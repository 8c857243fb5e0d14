#version 460
// Count, scan, compact: pass 2 of 3: one workgroup replaces the counts of all blocks by
// offsets.

#include "stream.glsl"

SHARES(blocks, BINDING_BLOCKS, uint)

#include "scan_counts.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    scan_counts((stream_lanes() + GROUP - 1) / GROUP);
}
