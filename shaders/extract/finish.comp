#version 460
// The last pass of a step: is the mesh whole? Then it is drawn; otherwise its predecessor is.

#include "buffers.glsl"
#include "shaders/shared/extraction.h"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    finish_push push;
};

bool fits(ListHead head)
{
    return head.count <= head.capacity && head.wrapped == 0;
}

void main()
{
    if (gl_LocalInvocationIndex != 0) {
        return;
    }
    const bool whole = fits(push.bricks_head) && fits(push.cells_head) &&
                       fits(push.vertices_head) && fits(push.triangles_head);
    push.draw.at[0] = whole ? push.triangles_head.count * 3 : 0;
    for (uint i = 1; i < 10; i++) {
        push.draw.at[i] = i == 1 || i == 6 ? 1 : 0; // one instance each, nothing else
    }
    if (push.has_previous != 0) {
        push.previous_draw.at[5] = whole ? 0 : push.previous_draw.at[0];
    }
    push.counts.bricks = push.bricks_head.count;
    push.counts.cells = push.cells_head.count;
    push.counts.vertices = push.vertices_head.count;
    push.counts.triangles = push.triangles_head.count;
    push.counts.whole = uint(whole);
    push.counts.wrapped = push.bricks_head.wrapped | push.cells_head.wrapped |
                          push.vertices_head.wrapped | push.triangles_head.wrapped;
}
