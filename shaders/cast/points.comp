#version 460
// Computes the position and normal of each hit. In PARTS the hit of a part counts if it is the first one
// of its pixel or nearer than those of other parts. Then it becomes the pixel's nearest hit, and its
// cell is numbered in the volume.

#include "append.glsl"
#include "caps.glsl"
#include "hit_normal.glsl"
#include "numbered.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push pushed;
};

READS(hits, BINDING_HITS, uvec2)
READS(hit_list, BINDING_HIT_LIST, uint)
COUNTER(hit_counts, BINDING_HIT_COUNTS) // `wrapped`: number of hits in the border
WRITES(points, BINDING_POINTS, vec3)
#ifdef PARTS
BUFFER(restrict, nearest, BINDING_NEAREST, uvec2) // each lane accesses only its pixel's
WRITES(nearest_list, BINDING_NEAREST_LIST, uint)  // the pixels that have a nearest hit
RAISED_COUNTER(nearest_counts, BINDING_NEAREST_COUNTS) // members as in hit_counts
#endif

void main()
{
    const cast_push push = pushed; // read before any branch, see shaders/README.md
    const uint i = folded_lane();
    if (i >= hit_counts.count) {
        return;
    }
    const uint at = hit_list[i];
    const uvec2 hit = hits[at];
    const uvec3 cell = cell_of_hit(hit.y);
    const uvec2 pixel = uvec2(at % push.width, at / push.width);
    const Ray ray = ray_numbered(push, at);
    const uint border = push.border & ~(CAST_BY_PIXEL | CAST_BY_SAMPLE);
    const bool within = all(greaterThanEqual(pixel, uvec2(border))) &&
                        all(lessThan(pixel + border, uvec2(push.width, push.height)));
#ifdef PARTS
    const uvec2 before = nearest[at], now = hit_in_volume(ray, hit);
    if (!meets_before(ray, now, before)) {
        return;
    }
    if (before.y == CAST_NOTHING) {
        const uint entry = atomicAdd(nearest_counts.count, 1);
        nearest_list[entry] = at;
        RAISE_BOTH(nearest_counts, entry, 1)
    }
    if (before.y == CAST_NOTHING && !within) {
        atomicAdd(nearest_counts.wrapped, 1);
    }
    nearest[at] = now;
#else
    if (!within) {
        atomicAdd(hit_counts.wrapped, 1);
    }
#endif
    const vec3 place = place_of_hit(ray, hit);
    const uint k = (push.border & CAST_BY_PIXEL) != 0 ? at : i;
    points[2 * k] = in_volume(ray, vec3(cell)) + place;
    points[2 * k + 1] = CAST_CAPS && hit_is_cap(hit.y) ? cap_normal(ray, hit, place) : normal_of_hit(ray, hit, place);
}
