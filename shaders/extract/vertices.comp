#version 460
// Makes the vertices of edges that are already listed: if the isovalue moves between the same
// sample values, only the vertices move. A lane makes VERTICES_EACH of them, one after the other.

#include "buffers.glsl"
#include "field.glsl"

#extension GL_KHR_shader_subgroup_basic : require

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    vertices_push push;
};

COUNTER(vertices_counter, BINDING_VERTICES_COUNTER)
FETCHES(edges, BINDING_EDGES)

#include "vertex.glsl"

void main()
{
    const uint length = list_length(vertices_counter);
    uint vertex = (folded_group() * GROUP + gl_SubgroupID * gl_SubgroupSize) * VERTICES_EACH +
                  gl_SubgroupInvocationID;
    const Level level = level_of_push();
    uint turn = 0;
    while (true) {
        if (vertex < length) {
            make_vertex(vertex, texelFetch(edges, int(vertex)).x, level);
        }
        vertex += gl_SubgroupSize;
        if (++turn == VERTICES_EACH) {
            break;
        }
    }
}
