#version 460
// Does the work of shadow_mean.comp for the samples of pixels at edges, which send no shadow rays.

#include "lanes.glsl"
#include "sample_normal.glsl"
#include "shadow_mean.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    shadow_push pushed;
};

READS(edges, BINDING_EDGES_LIST, uvec2)
COUNTER(edge_counts, BINDING_EDGES_COUNTER)
BUFFER(restrict, edge_points, BINDING_EDGE_POINTS, vec3) // each lane has its own

void main()
{
    const shadow_push push = pushed; // read before any branch, see shaders/README.md
    const uint i = folded_lane();
    if (i >= list_length(edge_counts)) {
        return;
    }
    const vec3 stored = edge_points[2 * i], normal = edge_points[2 * i + 1];
    if (normal == vec3(0.0)) {
        return;
    }
    const uint at = edges[i].x;
    const bool far = stored.x < 0.0;
    const vec3 place = far ? -1.0 - stored : stored;
    const float scale = code_scale(code_of_normal(normal));
    const ivec2 pixel = ivec2(at % push.width, at / push.width);
    edge_points[2 * i + 1] = normal * (2.0 - shadow_mean(push, pixel, place, normal / scale, far));
}
