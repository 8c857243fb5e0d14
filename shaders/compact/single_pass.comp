#version 460
// Single pass (Bontes and Gain 2024, fig. 5): InK-Compact on one workgroup, which reads the whole
// stream once, in order. So no second pass is needed to find out where its blocks go.

#include "stream.glsl"
#define KEPT keep
#include "streaming.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint count = stream_range(0, stream_lanes(), 0);
    if (group_lane() == 0) {
        counter.count = count;
        counter.wrapped = uint(streaming_wrapped);
    }
}
