#version 460
// Casts a ray for each sample of the pixels at edges. In place of its hit the pixel gets its number in the
// list. A sample has its position and its normal; without a hit the normal is 0. If the ray comes from the
// side of greater values, each coordinate p of the position is stored as -1 - p. In PARTS the hit of a part
// counts if it is nearer than those of other parts.

#include "hit_normal.glsl"
#include "spans.glsl"
#include "walk.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};
layout(constant_id = CONSTANT_SAMPLES) const uint SAMPLES = 4;

WRITES(hits, BINDING_HITS, uvec2)
READS(edges, BINDING_EDGES_LIST, uint)
COUNTER(edge_counts, BINDING_EDGES_COUNTER)
COUNTER(hit_counts, BINDING_HIT_COUNTS)
WRITES(tiles, BINDING_TILES, uint)
WRITES(edge_points, BINDING_EDGE_POINTS, vec3)
#ifdef PARTS
BUFFER(restrict, edge_times, BINDING_EDGE_TIMES, float) // t of the nearest hit of each sample
#endif

// The standard places of samples in a pixel, in sixteenths: of two, four and eight samples, which begin at
// the number of samples.
const uvec2 PLACES[16] = uvec2[16](uvec2(8, 8), uvec2(8, 8), uvec2(12, 12), uvec2(4, 4), uvec2(6, 2),
                                   uvec2(14, 6), uvec2(2, 10), uvec2(10, 14), uvec2(9, 5), uvec2(7, 11),
                                   uvec2(13, 9), uvec2(5, 3), uvec2(3, 13), uvec2(1, 7), uvec2(11, 15),
                                   uvec2(15, 1));

void main()
{
    const uint i = folded_lane(), edge = i / SAMPLES;
    if (edge >= list_length(edge_counts)) {
        return;
    }
    const uint at = edges[edge];
    const uvec2 pixel = uvec2(at % push.width, at / push.width);
    const Ray ray = ray_through(push, pixel, vec2(PLACES[SAMPLES + i % SAMPLES]) / 16.0);
    Walk walk = Walk(vec3(0.0), 0.0, 0, true);
    uvec2 hit = uvec2(CAST_NOTHING);
    float begin, end;
    if (span_of_pixel(pixel, push.width, push.height, begin, end)) {
        end = min(ray_end(ray), end);
        walk = walk_begin(ray, max(push.begin, begin), end);
        hit = walk_on(walk, ray, end, push, 0xffffffffu);
    }
    if (!walk.ended) {
        atomicAdd(hit_counts.spare, 1);
    }
    if (i % SAMPLES == 0) {
        const uvec2 tile = pixel / CAST_TILE;
        hits[at] = uvec2(edge, CAST_EDGE);
        tiles[tile.y * ((push.width - 1) / CAST_TILE + 1) + tile.x] = 1; // as others may do, too
    }
    vec3 position = vec3(0.0), normal = vec3(0.0);
    if (hit.y != CAST_NOTHING) {
        const vec3 place = place_of_hit(ray, hit);
        position = in_volume(ray, vec3(cell_of_hit(hit.y))) + place;
        normal = normal_of_hit(ray, hit, place);
        position = (hit.y & CAST_BACK) != 0 ? -1.0 - position : position;
    }
#ifdef PARTS
    if (hit.y == CAST_NOTHING || edge_times[i] <= uintBitsToFloat(hit.x)) {
        return;
    }
    edge_times[i] = uintBitsToFloat(hit.x);
#endif
    edge_points[2 * i] = position;
    edge_points[2 * i + 1] = normal;
}
