#version 460
// Redzone 1 (Bontes & Gain 2024, algorithm 1): one workgroup does everything.

#include "redzone_push.glsl"

#define TURN REDZONE_TURN
#include "redzone_all.glsl"

layout(local_size_x = GROUP) in;

shared Redzone opened;

void main()
{
    if (gl_LocalInvocationIndex == 0) {
        opened = redzone_open();
        redzone_begin();
    }
    meet();
    const uint edge = opened.edge, k = opened.removed;
    redzone_all(edge, k);
    if (gl_LocalInvocationIndex == 0) {
        push.work.at[REDZONE_EDGE] = edge;
        push.work.at[REDZONE_REMOVED] = k;
        push.work.at[REDZONE_SOURCES] = redzone_sources;
        push.work.at[REDZONE_TARGETS] = redzone_targets;
    }
}
