#version 460
// Casts a ray per pixel of the squares that may see the surface (mask_walk.glsl).

#include "append.glsl"
#include "mask_walk.glsl"
#include "spans.glsl"
#include "squares.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push pushed;
};

WRITES(hits, BINDING_HITS, uvec2)
WRITES(hit_list, BINDING_HIT_LIST, uint)
WRITES(tiles, BINDING_TILES, uint)
COUNTER(hit_counts, BINDING_HIT_COUNTS) // `spare`: number of rays whose loops reached their limit

void main()
{
    const cast_push push = pushed; // before any branch, see shaders/README.md
    uvec2 pixel;
    const bool there = pixel_of_lane(push.width, push.height, pixel);
    const uint at = pixel.y * push.width + pixel.x;
    Walk walk = walk_nowhere();
    uvec2 hit = uvec2(CAST_NOTHING);
    float begin, end;
    if (there && span_of_pixel(pixel, push.width, begin, end)) {
        const Iso iso = Iso(push.key, push.iso_key, push.iso_high, push.iso_low, push.iso_exponent);
        hit = cast_ray(ray_of_pixel(push, pixel), max(push.begin, begin), end, iso, walk);
    }
    const bool has = hit.y != CAST_NOTHING;
#ifdef COUNT_TURNS // for a measurement, in place of t
    if (there) {
        hits[at] = uvec2(walk.turns, hit.y);
    }
#else
    if (has) {
        hits[at] = hit; // the others are so before
    }
#endif
    if (there && !walk.ended) {
        atomicAdd(hit_counts.spare, 1);
    }
    const uvec4 ballot = subgroup_ballot(has);
    const uint sum = subgroupBallotBitCount(ballot), before = subgroupBallotExclusiveBitCount(ballot);
    if (sum > 0 && there && gl_SubgroupInvocationID % (SPAN_SIDE * SPAN_SIDE) == 0) {
        const uvec2 tile = pixel / CAST_TILE;
        tiles[tile.y * ((push.width + CAST_TILE - 1) / CAST_TILE) + tile.x] = 1; // as others may do, too
    }
    uint first;
    APPEND(hit_counts, sum, first)
    if (has) {
        hit_list[first + before] = at;
    }
}
