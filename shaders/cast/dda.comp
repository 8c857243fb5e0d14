#version 460
// Casts a ray per pixel: see walk.glsl.

#include "hits.glsl"
#include "spans.glsl"
#include "walk.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};

void main()
{
    const uvec2 pixel = gl_WorkGroupID.xy * CAST_TILE + pixel_in_tile(group_lane());
    const bool there = pixel.x < push.width && pixel.y < push.height;
    Walk walk = Walk(vec3(0.0), 0.0, 0, true);
    uvec2 hit = uvec2(CAST_MISS, CAST_NOTHING);
    float begin, end;
    if (there && span_of_pixel(pixel, push.width, push.height, begin, end)) {
        const Ray ray = ray_of_pixel(push, pixel);
        end = min(ray_end(ray), end);
        walk = walk_begin(ray, max(push.begin, begin), end);
        hit = walk_on(walk, ray, end, push, 0xffffffffu);
    }
#ifdef COUNT_TURNS // for a measurement, in place of t
    hit.x = walk.turns;
#endif
    store_hit(there, pixel.y * push.width + pixel.x, hit, walk.ended);
}
