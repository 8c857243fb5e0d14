#version 460
// Chag, pass 2 of 3: one workgroup turns the counts of the ranges into offsets.

#include "stream.glsl"
#include "scan.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    uint sum = 0;
    bool wrapped = false;
    for (uint first = 0; first < RANGES; first += GROUP) {
        const uint range = first + gl_LocalInvocationIndex;
        const uint n = push.blocks.at[range];
        const uint offset = sum + group_offset(subgroupExclusiveAdd(n), n);
        push.blocks.at[range] = offset;
        wrapped = wrapped || sum + scan_total < sum;
        sum += scan_total;
        barrier();
    }
    if (gl_LocalInvocationIndex == 0) {
        push.head.count = sum;
        push.head.wrapped = uint(wrapped);
    }
}
