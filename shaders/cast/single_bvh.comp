#version 460
// Casts a ray per pixel through a tree of boxes, in one kernel (the single-kernel pipeline of Hughes et al.
// 2013). The leaves of the tree are cubes that the isovalue meets. A stack holds the boxes that the ray
// visits later. In a leaf the ray goes from cell to cell.

#include "tile_cast.glsl"

layout(constant_id = CONSTANT_TREE_DEPTH) const uint TREE_DEPTH = 1;
shared uint stack[TREE_DEPTH * GROUP];

uint stack_entry(uint height)
{
    return stack[height * GROUP + group_lane()];
}

void put_stack_entry(uint height, uint entry)
{
    stack[height * GROUP + group_lane()] = entry;
}

#include "bvh.glsl"

uvec2 cast_ray(Ray ray, cast_contour contour, inout Walk walk)
{
    const float begin = search_begin(ray, push.begin), end = search_end(ray);
    Found found = found_nothing();
    uint height = bvh_begin(begin, end);
    walk.ended = height == 0;
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        const uint leaf = bvh_traverse(ray, begin, end, height, walk.turns);
        walk.ended = leaf == BVH_NONE && walk.turns < CAST_TURNS;
        if (leaf != BVH_NONE) {
            bvh_intersect(walk, ray, begin, end, contour.iso, leaf, height, found);
        }
    }
    return hit_found(walk, found);
}
