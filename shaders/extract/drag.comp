#version 460
// The list of active bricks, from the last isovalue to this one, without a look at most of them: see
// compute/extraction/drag.h. Candidates to leave are the bricks whose range ends, in the direction of
// the step, between the two isovalues: of them those leave that were active. Candidates to enter are
// those whose range begins there: those enter that are active now. What enters joins the list, then
// what leaves is taken out (Bontes & Gain 2024, 4.6).
//
// One workgroup: there are few candidates, or the list is made anew.

#include "buffers.glsl"
#include "lists.glsl"
#include "shaders/shared/drag.h"

layout(push_constant, scalar) uniform Push
{
    drag_push push;
};

// Mostly there are few, and a longer turn costs the same for one as for all. Loops over all of
// MAX_BRICKS, twice, then three times and a half: 36,864 turns.
#define TURN GROUP
#include "redzone_all.glsl"

layout(local_size_x = GROUP) in;
layout(set = 0, binding = BINDING_RANGES) uniform usamplerBuffer ranges;

bool spans(uint brick, uint key)
{
    const uvec2 range = texelFetch(ranges, int(brick)).xy;
    return range.x < key && range.y >= key;
}

shared uint removed, n;

void main()
{
    if (gl_LocalInvocationIndex == 0) {
        removed = 0;
        n = push.before;
        redzone_begin();
    }
    meet();
    FOR_ALL(i, push.leaving_count)
    {
        bool leaves = false;
        uint brick = 0, at;
        if (i < push.leaving_count) {
            brick = push.leaving.at[push.leaving_first + i];
            leaves = spans(brick, push.from);
        }
        REDZONE_PLACE(leaves, removed, at)
        if (leaves) {
            push.removals.at[at] = slots_at(brick);
        }
    }
    FOR_ALL(i, push.entering_count)
    {
        bool enters = false;
        uint brick = 0, at;
        if (i < push.entering_count) {
            brick = push.entering.at[push.entering_first + i];
            enters = spans(brick, push.to);
        }
        REDZONE_PLACE(enters, n, at)
        if (enters) {
            push.list.at[at] = brick;
        }
    }
    meet();
    const uint k = removed, edge = n - k;
    redzone_all(edge, k);
    if (gl_LocalInvocationIndex == 0) {
        push.head.count = edge;
        push.events.at[0] = k;
        push.events.at[1] = n - push.before;
    }
}
