#version 460
// Casts a ray per pixel through a tree of boxes, in one kernel (Hughes et al. 2013: the single-kernel
// pipeline). The leaves of the tree are cubes that the isovalue meets. A stack holds the boxes that the ray
// visits later. In a leaf the ray goes from cell to cell.

#include "hits.glsl"
#include "ray.glsl"

layout(constant_id = CONSTANT_TREE_DEPTH) const uint TREE_DEPTH = 1;
shared uint stack[TREE_DEPTH * GROUP];

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};

uint stack_entry(uint height)
{
    return stack[height * GROUP + group_lane()];
}

void put_stack_entry(uint height, uint entry)
{
    stack[height * GROUP + group_lane()] = entry;
}

#include "bvh.glsl"

// The hit of a ray, see CAST_BACK.
uvec2 cast_ray(Ray ray, Iso iso, inout Walk walk)
{
    const float begin = ray_begin(ray, push.begin), end = ray_end(ray);
    Found found = found_nothing();
    uint height = bvh_begin(begin, end);
    walk.ended = height == 0;
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        const uint leaf = bvh_traverse(ray, begin, end, height, walk.turns);
        walk.ended = leaf == BVH_NONE && walk.turns < CAST_TURNS;
        if (leaf != BVH_NONE) {
            bvh_intersect(walk, ray, begin, end, iso, leaf, height, found);
        }
    }
    return hit_found(walk, found);
}

void main()
{
    const uvec2 pixel = gl_WorkGroupID.xy * CAST_TILE + pixel_in_tile(group_lane());
    const bool there = pixel.x < push.width && pixel.y < push.height;
    Walk walk = Walk(vec3(0.0), 0.0, there ? 0 : CAST_TURNS, false);
    uvec2 hit = uvec2(CAST_NOTHING);
    if (there) {
        const Iso iso = Iso(push.key, push.iso_key, push.iso_high, push.iso_low, push.iso_exponent);
        hit = cast_ray(ray_of_pixel(push, pixel), iso, walk);
    }
#ifdef COUNT_TURNS // for a measurement, in place of t
    hit.x = walk.turns;
#endif
    store_hit(there, pixel.y * push.width + pixel.x, hit, walk.ended);
}
