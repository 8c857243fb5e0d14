#version 460
// Marks the words of a list as not kept. A word is its own place in bench's streams, so that nothing
// has to be read: a scattered write each, as in phase 1 of the Redzone paper's comparisons.

#include "buffers.glsl"
#include "shaders/shared/compaction.h"

layout(push_constant, scalar) uniform Push
{
    mark_push push;
};

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * GROUP +
                      gl_LocalInvocationIndex;
    if (lane < push.count) {
        const uint place = push.removals.at[lane];
        push.words.at[place] = place | WORD_INVALID;
    }
}
