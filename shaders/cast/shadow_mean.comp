#version 460
// Makes the normal of each hit longer by the share of the key light that does not reach it.

#include "lanes.glsl"
#include "shadow_mean.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    shadow_push pushed;
};

READS(hit_list, BINDING_HIT_LIST, uint)
COUNTER(hit_counts, BINDING_HIT_COUNTS)

void main()
{
    const shadow_push push = pushed; // read before any branch, see shaders/README.md
    const uint i = folded_lane();
    if (i >= hit_counts.count) {
        return;
    }
    const uint at = hit_list[i];
    const ivec2 pixel = ivec2(at % push.width, at / push.width);
    const vec3 normal = points[2 * at + 1];
    const bool far = (shades[at] & CAST_BACK) != 0;
    points[2 * at + 1] = normal * (2.0 - shadow_mean(push, pixel, points[2 * at], normal, far));
}
