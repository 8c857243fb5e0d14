#version 460
// Redzone 2 (Bontes & Gain 2024, algorithm 2), before its phases: counts the removals. Each phase
// is a dispatch, which is the paper's synchronization between phases. This pass writes its dispatch
// arguments.

#include "arguments.glsl"
#include "redzone_push.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    if (gl_LocalInvocationIndex != 0) {
        return;
    }
    const Redzone redzone = redzone_open();
    push.work.at[REDZONE_EDGE] = redzone.edge;
    push.work.at[REDZONE_REMOVED] = redzone.removed;
    push.work.at[REDZONE_SOURCES] = 0;
    push.work.at[REDZONE_TARGETS] = 0;
    write_arguments(push.arguments, redzone.removed);
}
