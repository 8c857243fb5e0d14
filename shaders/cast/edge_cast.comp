#version 460
// Casts the rays of the samples that edge_find.comp has listed. Stores position and normal of each sample;
// the normal (sample_normal.glsl) is 0 if there is no hit. If the ray comes from the side of greater values, each coordinate p
// of the position is stored as -1 - p. The hit of the pixel is replaced: it tells where the pixel's samples
// are, see CAST_EDGE. In PARTS a hit counts only if it is nearer than those of other parts. With THROUGH_LAYERS the hits
// themselves are stored, and the samples that have one are listed.

#include "caps.glsl"
#include "hit_normal.glsl"
#include "mask_walk.glsl"
#include "sample_normal.glsl"
#include "sample_places.glsl"
#include "spans.glsl"

layout(local_size_x_id = CONSTANT_CAST_LANES) in;
layout(push_constant, scalar) uniform Push
{
    cast_push pushed;
};

BUFFER(restrict, hits, BINDING_HITS, uvec2) // the hit of a pixel is accessed by one lane
READS(edges, BINDING_EDGES_LIST, uvec2)
COUNTER(edge_counts, BINDING_EDGES_COUNTER)
COUNTER(hit_counts, BINDING_HIT_COUNTS)
WRITES(tiles, BINDING_TILES, uint)
#ifdef THROUGH_LAYERS
WRITES(sample_hits, BINDING_EDGE_NEAREST, uvec2)
WRITES(list, BINDING_LIST, uint)
COUNTER(counter, BINDING_COUNTER) // of this list
#else
WRITES(edge_points, BINDING_EDGE_POINTS, vec3)
#endif
#ifdef PARTS
BUFFER(restrict, edge_nearest, BINDING_EDGE_NEAREST, uvec2) // the nearest hit of each sample
#endif

void main()
{
    const cast_push push = pushed; // read before any branch, see shaders/README.md
    const atlas_iso iso = contours.list[push.contour].iso;
    const uint i = cast_lane();
    if (i >= list_length(edge_counts)) {
        return;
    }
    const uvec2 edge = edges[i];
    const uint which = edge.y >> EDGE_SAMPLE & 7, among = edge.y & EDGE_SAMPLES;
    const uvec2 pixel = uvec2(edge.x % push.width, edge.x / push.width);
    const Ray ray = ray_through(push, pixel, vec2(sample_place(which)) / 16.0);
    Walk walk = walk_nowhere();
    uvec2 hit = uvec2(CAST_NOTHING);
    float begin, end;
    if (span_of_pixel(pixel, push.width, begin, end)) {
        const float before = uintBitsToFloat(edge.y & EDGE_BEGIN);
        const uint reach = edge.y >> EDGE_REACH & 7;
        if (reach != EDGE_TO_END) {
            end = min(end, before + EDGE_BEFORE * float(1u << reach) / length(ray.direction));
        }
        begin = max(begin, before);
        hit = cast_ray(ray, max(push.begin, begin), end, iso, walk);
    }
    if (!walk.ended) {
        atomicAdd(hit_counts.spare, 1);
    }
    if (CAST_CAPS) {
        hit = cap_before(ray, push.begin, CAP_FIRST, hit);
    }
    const uint centre = which == findLSB(among) ? hits[edge.x].y : CAST_EDGE;
    if (centre < CAST_EDGE || centre == CAST_NOTHING) { // the pixel's hit is not replaced yet
        const uvec2 tile = pixel / CAST_TILE;
        const uint of_centre = centre == CAST_NOTHING       ? 0
                               : hit_is_cap(centre)         ? CAST_EDGE_HIT | CAST_EDGE_CAP
                               : (centre & CAST_BACK) != 0 ? CAST_EDGE_HIT | CAST_EDGE_BACK
                                                            : CAST_EDGE_HIT;
        const uint contour = centre == CAST_NOTHING ? 0 : contour_of_hit(centre);
        hits[edge.x] = uvec2(i, CAST_EDGE | contour << CAST_EDGE_CONTOUR | of_centre | among);
        tiles[tile.y * ((push.width - 1) / CAST_TILE + 1) + tile.x] = 1; // others may write the same
    }
#ifdef THROUGH_LAYERS
    sample_hits[i] = hit;
    if (hit.y != CAST_NOTHING) {
        list[atomicAdd(counter.count, 1)] = i;
    }
#else
    vec3 position = vec3(0.0), normal = vec3(0.0);
    if (hit.y != CAST_NOTHING) {
        const vec3 place = place_of_hit(ray, hit);
        position = in_volume(ray, vec3(cell_of_hit(hit.y))) + place;
        const uint contour = contour_of_hit(hit.y);
        if (CAST_CAPS && hit_is_cap(hit.y)) {
            normal = cap_normal(ray, hit, place) * code_scale(contour | SAMPLE_CAP);
        } else {
            normal = normal_of_hit(ray, hit, place) * code_scale(contour);
        }
        position = (hit.y & CAST_BACK) != 0 ? -1.0 - position : position;
    }
#ifdef PARTS
    const uvec2 now = hit_in_volume(ray, hit);
    if (hit.y == CAST_NOTHING || !meets_before(ray, now, edge_nearest[i])) {
        return;
    }
    edge_nearest[i] = now;
#endif
    edge_points[2 * i] = position;
    edge_points[2 * i + 1] = normal;
#endif
}
