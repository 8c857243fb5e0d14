#version 460
// Scan and scatter, pass 4: flags and offsets are read again, and the kept elements go to their
// place.

#include "stream.glsl"

layout(local_size_x = GROUP) in;

layout(set = 0, binding = BINDING_LEVELS) uniform usamplerBuffer levels;

void main()
{
    const uint lane = folded_lane();
    if (lane < stream_lanes()) {
        const uint mask = mask_at(lane);
        if (mask != 0) {
            emit(mask, element(lane),
                 BOUND != 0 ? texelFetch(levels, int(lane)).x : push.levels.at[lane]);
        }
    }
}
