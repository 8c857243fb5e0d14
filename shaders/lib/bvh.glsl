// The boxes over a tree's leaves that the isovalue meets (compute/casting/bvh.h), and how a ray with a stack
// traverses them. Several kernels may share a traversal: the state of a ray is its stack and the leaf that it is
// in. Where the ray enters a box is computed from the planes of the box each time, and not stored.
//
// The kernel defines access to the stack before it includes this file:
//   uint stack_entry(uint height)              returns the entry at `height`
//   void put_stack_entry(uint height, uint e)  stores the entry at `height`
// An entry is a child, see BVH_LEAF. A stack has at most TREE_DEPTH entries.
#ifndef LIB_BVH
#define LIB_BVH

#include "march.glsl"

layout(constant_id = CONSTANT_LEAF_SHIFT) const uint LEAF_SHIFT = 3;
FETCHES(bvh, BINDING_BVH)

const uint BVH_NONE = 0xffffffffu;

// Unpacks the position of a leaf: 10 bits each for x, y, z.
vec3 bvh_place(uint word)
{
    return vec3(uvec3(word, word >> 10, word >> 20) & 0x3ffu);
}

struct Box_times {
    float enter, leave;
};

// When the ray is in the box from leaf `first` to leaf `last`.
Box_times box_times(Ray ray, float begin, float end, uint first, uint last)
{
    const float side = float(1u << LEAF_SHIFT);
    const vec3 low = bvh_place(first) * side, high = bvh_place(last) * side + side;
    return Box_times(max(begin, greatest_of(plane_times(ray, mix(high, low, ray.up)))),
                     min(end, least_of(plane_times(ray, mix(low, high, ray.up)))));
}

// The node of a child. If the child is a leaf, only x and y are valid: the leaf's box.
uvec4 bvh_node(uint child)
{
    uvec4 node = uvec4(child);
    if (child < BVH_LEAF) {
        node = texelFetch(bvh, int(child));
    }
    return node;
}

// Fills the stack of a ray that begins. Returns the stack's height.
uint bvh_begin(float begin, float end)
{
    const uvec4 root = texelFetch(bvh, 0);
    const bool there = begin < end && root.x != BVH_NONE;
    if (there) {
        put_stack_entry(0, mix(0, root.x | BVH_LEAF, root.x == root.y));
    }
    return uint(there);
}

// Goes to the next leaf, in order of distance, and pops it off the stack. Returns its entry, or BVH_NONE if
// there is no further leaf or the loops have reached their limit.
uint bvh_traverse(Ray ray, float begin, float end, inout uint height, inout uint turns)
{
    uint leaf = BVH_NONE;
    uvec2 children = uvec2(BVH_NONE); // of the current node; BVH_NONE: pop a node off the stack
    for (; turns < CAST_TURNS; turns++) {
        if (children.x == BVH_NONE) {
            if (height == 0) {
                break;
            }
            height--;
            const uint entry = stack_entry(height);
            if (entry >= BVH_LEAF) {
                leaf = entry;
                break;
            }
            children = texelFetch(bvh, int(entry)).zw;
        }
        const uvec4 a = bvh_node(children.x), b = bvh_node(children.y);
        const Box_times in_a = box_times(ray, begin, end, a.x, a.y);
        const Box_times in_b = box_times(ray, begin, end, b.x, b.y);
        const bool meets_a = in_a.enter < in_a.leave, meets_b = in_b.enter < in_b.leave;
        const bool a_first = meets_a && !(meets_b && in_b.enter < in_a.enter);
        if (meets_a && meets_b) {
            put_stack_entry(height, mix(children.x, children.y, a_first));
            height++;
        }
        const bool meets = meets_a || meets_b;
        const uint near = mix(children.y, children.x, a_first);
        if (meets && near >= BVH_LEAF) {
            leaf = near;
            break;
        }
        children = mix(uvec2(BVH_NONE), mix(b.zw, a.zw, bvec2(a_first)), bvec2(meets));
    }
    return leaf;
}

// Enters a leaf: sets the walk to its first cell.
void bvh_enter(inout Walk walk, Ray ray, float begin, uint leaf)
{
    const float side = float(1u << LEAF_SHIFT);
    const vec3 low = bvh_place(leaf) * side, high = low + side;
    walk.t = max(begin, greatest_of(plane_times(ray, mix(high, low, ray.up))));
    walk.cell = cell_at(ray, walk.t, low, min(high, LAST));
}

// Goes through the leaf to a hit or to the leaf's end. While the top of the stack is a leaf, goes through that
// leaf as well. After that, either the ray has ended (walk.ended), or its next leaf is below the node at the top
// of the stack.
void bvh_intersect(inout Walk walk, Ray ray, float begin, float end, atlas_iso iso, uint leaf, inout uint height,
                   inout Found found)
{
    const float side = float(1u << LEAF_SHIFT);
    bvh_enter(walk, ray, begin, leaf);
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        if (pass_cells(walk, ray, end, iso.key, bvh_place(leaf), side)) {
            search_cell(walk, ray, end, iso, found);
        } else if (!walk.ended && walk.turns < CAST_TURNS) {
            walk.ended = height == 0;
            if (!walk.ended) {
                leaf = stack_entry(height - 1);
                if (leaf < BVH_LEAF) {
                    break;
                }
                height--;
                bvh_enter(walk, ray, begin, leaf);
            }
        }
    }
}

#endif
