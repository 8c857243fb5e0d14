#version 460
// Chag, pass 2 of 3: one workgroup replaces the counts of the ranges by offsets.

#include "stream.glsl"

SHARES(blocks, BINDING_BLOCKS, uint) // one count per range

#include "scan_counts.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    scan_counts(min(push.lanes / STRETCH + 1, RANGES));
}
