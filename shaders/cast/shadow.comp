#version 460
// Which rays of each hit reach the key light. Of a part of the volume: which are left of those that the parts
// before let pass.

#include "contours.glsl"
#include "shadow_ray.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    shadow_push pushed;
};

READS(hits, BINDING_HITS, uvec2)
READS(hit_list, BINDING_HIT_LIST, uint)
COUNTER(hit_counts, BINDING_HIT_COUNTS) // `spare`: rays whose loops met their bound
READS(points, BINDING_POINTS, vec3)
BUFFER(restrict, shades, BINDING_SHADES, uint) // each lane reads and writes its own; SHADOW_NONE at first

void main()
{
    const shadow_push push = pushed; // before any branch, see shaders/README.md
    const atlas_iso iso = contours.list[push.contour].iso;
    const uint i = folded_lane();
    if (i >= hit_counts.count) {
        return;
    }
    const uint at = hit_list[i];
    const bool far = (hits[at].y & CAST_BACK) != 0;
    const vec3 normal = points[2 * at + 1];
    // Pixels are counted from far outside of the picture, so that no number is below 0.
    const ivec2 pixel =
        ivec2(at % push.width, at / push.width) + ivec2(push.x, push.y) + 2 * SHADOW_SIDE;
    Walk walk = walk_nowhere();
    const uint phase = shadow_phase(uvec2(pixel));
    const uint reaching =
        light_reaching(push, iso, points[2 * at], far ? -normal : normal, far, phase, shades[at], walk);
    shades[at] = reaching | (far ? CAST_BACK : 0);
    if (!walk.ended) {
        atomicAdd(hit_counts.spare, 1);
    }
}
