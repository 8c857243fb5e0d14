#version 460
// Finds which rays of each hit reach the key light. For a part of the volume: which of the rays that the
// parts before have let pass.

#include "contours.glsl"
#include "shadow_ray.glsl"

layout(local_size_x_id = CONSTANT_CAST_LANES) in;
layout(push_constant, scalar) uniform Push
{
    shadow_push pushed;
};

READS(hits, BINDING_HITS, uvec2)
READS(hit_list, BINDING_HIT_LIST, uint)
COUNTER(hit_counts, BINDING_HIT_COUNTS) // `spare`: number of rays whose loops reached their limit
BUFFER(restrict, shades, BINDING_SHADES, uint) // each lane accesses only its pixel's; SHADOW_NONE at first

void main()
{
    const shadow_push push = pushed; // read before any branch, see shaders/README.md
    atlas_iso iso = contours.list[push.contour].iso;
    const uint i = cast_lane();
    if (i >= hit_counts.count) {
        return;
    }
    const uint at = hit_list[i];
    if (hit_is_cap(hits[at].y) && contours.caps == CAPS_VALUES) {
        return; // no light falls on greys
    }
    const bool far = (hits[at].y & CAST_BACK) != 0;
    const uint contour = contour_of_hit(hits[at].y);
    if (CONTOUR_BITS > 0) {
        iso = contours.list[contour].iso;
    }
    // Pixels are counted from a point outside of the picture, so that no number is negative.
    const ivec2 pixel =
        ivec2(at % push.width, at / push.width) + ivec2(push.x, push.y) + 2 * SHADOW_SIDE;
    Walk walk = walk_nowhere();
    const uint phase = shadow_phase(uvec2(pixel));
    const uint reaching = light_reaching(push, iso, contour, at, far, phase, shades[at], walk);
    shades[at] = reaching | (far ? CAST_BACK : 0);
    if (!walk.ended) {
        atomicAdd(hit_counts.spare, 1);
    }
}
