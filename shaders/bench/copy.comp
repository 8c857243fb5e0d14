#version 460
// Copies words. Its speed is an upper bound for a compaction that moves as many bytes. Lanes read
// and write as in the kernels of compaction.

#include "stream.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    if (lane < push.lanes) {
        put_element(lane, element(lane));
    }
}
