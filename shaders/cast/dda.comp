#version 460
// Casts a ray per pixel of the squares that may see the surface: mask_walk.glsl or
// fixed_steps.glsl.

#include "contours.glsl"
#include "hits.glsl"
#include "spans.glsl"
#include "squares.glsl"

layout(local_size_x_id = CONSTANT_CAST_LANES) in;
layout(push_constant, scalar) uniform Push
{
    cast_push pushed;
};

#ifdef TEST_STEP
#include "fixed_steps.glsl"
#else
#include "mask_walk.glsl"
#endif

void main()
{
    const cast_push push = pushed; // read before any branch, see shaders/README.md
    const atlas_iso iso = contours.list[push.contour].iso;
    uvec2 pixel;
    const bool there = pixel_of_lane(push.width, push.height, pixel);
    const uint at = pixel.y * push.width + pixel.x;
    Walk walk = walk_nowhere();
    uvec2 hit = uvec2(CAST_NOTHING);
    float begin, end;
    if (there && span_of_pixel(pixel, push.width, begin, end)) {
        hit = cast_ray(ray_of_pixel(push, pixel), max(push.begin, begin), end, iso, walk);
    }
    const bool has = hit.y != CAST_NOTHING;
#ifdef COUNT_TURNS // for a measurement: stores the iterations instead of t
    if (there) {
        hits[at] = uvec2(walk.turns, hit.y);
    }
#else
    if (has) {
        hits[at] = hit; // hits are CAST_NOTHING before the dispatch
    }
#endif
    if (there && !walk.ended) {
        atomicAdd(hit_counts.spare, 1);
    }
    if (list_hit(has, at) && there && gl_SubgroupInvocationID % (SPAN_SIDE * SPAN_SIDE) == 0) {
        const uvec2 tile = pixel / CAST_TILE;
        tiles[tile.y * ((push.width + CAST_TILE - 1) / CAST_TILE) + tile.x] = 1; // as others may
    }
}
