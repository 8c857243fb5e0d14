#version 460
// Scan and scatter, pass 4: reads flags and offsets again, and writes the kept elements to their
// places.

#include "buffers.glsl"
#include "shaders/shared/scan_scatter.h"
#define OWN scan_scatter_own
#include "masks.glsl"

layout(local_size_x = GROUP) in;

layout(set = 0, binding = BINDING_LEVELS) uniform usamplerBuffer levels;

void main()
{
    const uint lane = folded_lane();
    const bool there = lane < stream_lanes();
    const uint mask = there ? mask_at(lane) : 0;
    const uint at = there ? (BOUND != 0 ? texelFetch(levels, int(lane)).x : own.levels.at[lane]) : 0;
    emit(mask, mask != 0 ? element(lane) : 0, at);
}
