#version 460
// The last pass of a step. If the mesh is complete, it is drawn; otherwise the previous one is
// drawn.

#include "buffers.glsl"
#include "shaders/shared/extraction.h"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    finish_push push;
};

bool fits(ListCounter counter)
{
    return counter.count <= counter.capacity && counter.wrapped == 0;
}

void main()
{
    if (gl_LocalInvocationIndex != 0) {
        return;
    }
    const bool whole = fits(push.bricks_counter) && fits(push.cells_counter) &&
                       fits(push.vertices_counter) && fits(push.triangles_counter);
    push.draw.at[0] = whole ? push.triangles_counter.count * 3 : 0;
    for (uint i = 1; i < 10; i++) {
        push.draw.at[i] = i == 1 || i == 6 ? 1 : 0; // one instance each; all others are 0
    }
    if (push.has_previous != 0) {
        push.previous_draw.at[5] = whole ? 0 : push.previous_draw.at[0];
    }
    push.counts.bricks = push.bricks_counter.count;
    push.counts.cells = push.cells_counter.count;
    push.counts.vertices = push.vertices_counter.count;
    push.counts.triangles = push.triangles_counter.count;
    push.counts.whole = uint(whole);
    push.counts.wrapped = push.bricks_counter.wrapped | push.cells_counter.wrapped |
                          push.vertices_counter.wrapped | push.triangles_counter.wrapped;
}
