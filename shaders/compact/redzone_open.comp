#version 460
// Redzone 2 (Bontes & Gain 2024, algorithm 2), before its phases: counts the removals. Each phase
// is a dispatch: that is the paper's synchronization between phases. This pass writes the dispatch
// arguments of the phases.

#include "arguments.glsl"
#include "redzone.glsl"

WRITES_ARGUMENTS(removal_arguments, BINDING_REMOVAL_ARGUMENTS)

layout(local_size_x = GROUP) in;

void main()
{
    if (group_lane() != 0) {
        return;
    }
    const Redzone redzone = redzone_open();
    work[REDZONE_EDGE] = redzone.edge;
    work[REDZONE_REMOVED] = redzone.removed;
    work[REDZONE_SOURCES] = 0;
    work[REDZONE_TARGETS] = 0;
    removal_arguments[0] = arguments_for(redzone.removed);
}
