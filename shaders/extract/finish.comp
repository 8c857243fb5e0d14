#version 460
// The last pass of a step whose mesh is drawn. If the mesh is complete, it will be drawn, otherwise
// the previous mesh. If all lists are complete, the lists of bricks and cells can be drawn, too.

#include "buffers.glsl"
#include "lanes.glsl"
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
WRITES(lists_draw, BINDING_LISTS_DRAW, uint)

#define FITS(counter) (counter.count <= counter.capacity && counter.wrapped == 0)

void main()
{
    if (group_lane() != 0) {
        return;
    }
    const bool whole = FITS(bricks_counter) && FITS(cells_counter) && FITS(vertices_counter) &&
                       FITS(triangles_counter);
    draw[0] = whole ? triangles_counter.count * 3 : 0;
    for (uint i = 1; i < 10; i++) {
        draw[i] = i == 1 || i == 6 ? 1 : 0; // 1: one instance per draw command; 0: the other words
    }
    for (uint i = 0; i < 8; i++) {
        lists_draw[i] = i % 4 == 1 ? 1 : 0;
    }
    lists_draw[0] = whole ? bricks_counter.count * BRICK_CORNERS : 0;
    lists_draw[4] = whole ? cells_counter.count * CELL_CORNERS : 0;
    if (push.has_previous != 0) {
        previous_draw[5] = whole ? 0 : previous_draw[0];
    }
}
