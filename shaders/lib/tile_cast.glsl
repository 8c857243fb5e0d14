// A kernel that casts a ray per pixel, with a workgroup per tile. It has the push block and all but cast_ray(),
// which the kernel defines after it includes this file.
#ifndef LIB_TILE_CAST
#define LIB_TILE_CAST

#include "contours.glsl"
#include "hits.glsl"
#include "march.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};

// Returns the hit of a ray, see CAST_BACK.
uvec2 cast_ray(Ray ray, cast_contour contour, inout Walk walk);

void main()
{
    const cast_contour contour = contours.list[push.contour];
    const uvec2 pixel = gl_WorkGroupID.xy * CAST_TILE + pixel_in_tile(group_lane());
    const bool there = pixel.x < push.width && pixel.y < push.height;
    Walk walk = Walk(vec3(0.0), 0.0, there ? 0 : CAST_TURNS, false);
    uvec2 hit = uvec2(CAST_NOTHING);
    if (there) {
        hit = cast_ray(ray_of_pixel(push, pixel), contour, walk);
    }
#ifdef COUNT_TURNS // for a measurement, in place of t
    hit.x = walk.turns;
#endif
    store_hit(there, pixel.y * push.width + pixel.x, hit, walk.ended);
}

#endif
