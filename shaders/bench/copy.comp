#version 460
// Copies words as they are: what a compaction that moves as many bytes could reach at best. Lanes
// read and write as the kernels of compaction do.

#include "stream.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * GROUP +
                      gl_LocalInvocationIndex;
    if (lane < push.lanes) {
        write_list(lane, element(lane));
    }
}
