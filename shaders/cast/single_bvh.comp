#version 460
// Casts a ray per pixel through the boxes over the leaves that the isovalue meets, with a stack, in one
// kernel (Hughes et al. 2013: the single-kernel pipeline). In a leaf the ray goes from cell to cell.

#include "hits.glsl"
#include "ray.glsl"

layout(constant_id = CONSTANT_TREE_LEVELS) const uint STACK = 1;
#ifdef STACK_LOCAL
uint stack[STACK];
#define AT(height) height
#elif defined STACK_BUFFER
SHARES(stack, BINDING_STACKS, uint)
uint stack_base;
#define AT(height) (stack_base + (height) * push.width * push.height)
#else
shared uint stack[STACK * GROUP];
#define AT(height) ((height) * GROUP + gl_LocalInvocationIndex)
#endif

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push push;
};

uint stack_entry(uint height)
{
    return stack[AT(height)];
}

void put_stack_entry(uint height, uint entry)
{
    stack[AT(height)] = entry;
}

#include "bvh.glsl"

// The hit of a ray, see CAST_BACK.
uvec2 cast_ray(Ray ray, Iso iso, inout Walk walk)
{
    const float begin = ray_begin(ray, push.begin), end = ray_end(ray);
    uvec2 hit = uvec2(CAST_MISS, CAST_NOTHING);
    uint height = bvh_begin(begin, end);
#ifdef NESTED
    walk.ended = height == 0;
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        const uint leaf = bvh_traverse(ray, begin, end, height, walk.turns);
        walk.ended = leaf == BVH_NONE && walk.turns < CAST_TURNS;
        if (leaf != BVH_NONE) {
            bvh_intersect(walk, ray, begin, end, iso, leaf, height, hit);
        }
    }
#else
    const float side = float(1u << LEAF_SHIFT);
    uint leaf = BVH_NONE;
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        if (leaf == BVH_NONE) {
            leaf = bvh_traverse(ray, begin, end, height, walk.turns);
            walk.ended = leaf == BVH_NONE && walk.turns < CAST_TURNS;
            if (leaf != BVH_NONE) {
                bvh_enter(walk, ray, begin, leaf);
            }
        }
        if (leaf != BVH_NONE) {
            if (pass_cells(walk, ray, end, iso.key, bvh_place(leaf), side)) {
                search_cell(walk, ray, end, iso, hit);
            } else {
                leaf = BVH_NONE;
            }
        }
    }
#endif
    return hit;
}

void main()
{
    const uvec2 pixel = gl_WorkGroupID.xy * CAST_TILE + pixel_in_tile(group_lane());
    const bool there = pixel.x < push.width && pixel.y < push.height;
    Walk walk = Walk(vec3(0.0), 0.0, there ? 0 : CAST_TURNS, false);
    uvec2 hit = uvec2(CAST_MISS, CAST_NOTHING);
#ifdef STACK_BUFFER
    stack_base = pixel.y * push.width + pixel.x;
#endif
    if (there) {
        const Iso iso = Iso(push.key, push.iso_key, push.iso_high, push.iso_low, push.iso_exponent);
        hit = cast_ray(ray_of_pixel(push, pixel), iso, walk);
    }
    store_hit(there, pixel.y * push.width + pixel.x, hit, walk.ended);
}
