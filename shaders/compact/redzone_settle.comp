#version 460
// Redzone 2, phase 3: the elements that were left over to the holes that were. One lane per removal
// again; at most half of them have something to do.

#include "redzone_push.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint i = folded_lane();
    if (i < push.work.at[REDZONE_TARGETS]) {
        redzone_settle(i);
    }
}
