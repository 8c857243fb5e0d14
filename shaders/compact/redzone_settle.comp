#version 460
// Redzone 2, phase 3: moves the orphaned elements to the orphaned holes. One lane per removal;
// at most half of the lanes have work.

#include "redzone.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint i = folded_lane();
    if (i < work[REDZONE_TARGETS]) {
        redzone_settle(i);
    }
}
