#version 460
// Redzone 2, phase 1: marks the removed elements in the red zone. One lane per removal.

#include "redzone.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint i = folded_lane();
    if (i < work[REDZONE_REMOVED]) {
        redzone_mark(i, work[REDZONE_EDGE]);
    }
}
