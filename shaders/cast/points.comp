#version 460
// Position and normal of each hit.

#include "buffers.glsl"
#include "hit_normal.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};

READS(hits, BINDING_HITS, uvec2)
READS(hit_list, BINDING_HIT_LIST, uint)
COUNTER(hit_counts, BINDING_HIT_COUNTS)
WRITES(points, BINDING_POINTS, vec3)

void main()
{
    const uint i = folded_lane();
    if (i >= hit_counts.count) {
        return;
    }
    const uint at = hit_list[i];
    const uvec2 hit = hits[at];
    const uvec3 cell = cell_of_hit(hit.y);
    const Ray ray = ray_of_pixel(push, uvec2(at % push.width, at / push.width));
    const vec3 place = place_of_hit(ray, hit);
    points[2 * at] = vec3(cell) + place;
    points[2 * at + 1] = normal_of_hit(ray, hit, place);
}
