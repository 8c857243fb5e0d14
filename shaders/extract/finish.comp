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

COUNTER(bricks_counter, BINDING_BRICKS_COUNTER)
COUNTER(cells_counter, BINDING_CELLS_COUNTER)
COUNTER(vertices_counter, BINDING_VERTICES_COUNTER)
COUNTER(triangles_counter, BINDING_TRIANGLES_COUNTER)
WRITES(draw, BINDING_DRAW, uint)
SHARES(previous_draw, BINDING_PREVIOUS_DRAW, uint)
WRITES(counts, BINDING_COUNTS, uint) // struct step_counts

#define FITS(counter) (counter.count <= counter.capacity && counter.wrapped == 0)

void main()
{
    if (gl_LocalInvocationIndex != 0) {
        return;
    }
    const bool whole = FITS(bricks_counter) && FITS(cells_counter) && FITS(vertices_counter) &&
                       FITS(triangles_counter);
    draw[0] = whole ? triangles_counter.count * 3 : 0;
    for (uint i = 1; i < 10; i++) {
        draw[i] = i == 1 || i == 6 ? 1 : 0; // one instance each; all others are 0
    }
    if (push.has_previous != 0) {
        previous_draw[5] = whole ? 0 : previous_draw[0];
    }
    counts[0] = bricks_counter.count;
    counts[1] = cells_counter.count;
    counts[2] = vertices_counter.count;
    counts[3] = triangles_counter.count;
    counts[4] = uint(whole);
    counts[5] = bricks_counter.wrapped | cells_counter.wrapped | vertices_counter.wrapped |
                triangles_counter.wrapped;
}
