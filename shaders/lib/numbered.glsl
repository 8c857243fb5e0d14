// The rays of a list: those through the centres of pixels, or those of samples at edges.
#ifndef LIB_NUMBERED
#define LIB_NUMBERED

#include "buffers.glsl"
#include "ray.glsl"
#include "sample_places.glsl"

READS(edges, BINDING_EDGES_LIST, uvec2)

// The ray with this number; see CAST_BY_SAMPLE.
Ray ray_numbered(cast_push push, uint at)
{
    uvec2 edge = uvec2(at, 0);
    vec2 place = vec2(0.5);
    if (CAST_MANY != 0 && (push.border & CAST_BY_SAMPLE) != 0) {
        edge = edges[at];
        place = vec2(sample_place(edge.y >> EDGE_SAMPLE & 7)) / 16.0;
    }
    return ray_through(push, uvec2(edge.x % push.width, edge.x / push.width), place);
}

#endif
