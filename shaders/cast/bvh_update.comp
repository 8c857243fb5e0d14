#version 460
// Makes some levels of the boxes over the leaves that the isovalue meets, each from the level below
// (Hughes et al. 2013, 3.1.2). A node without a live child is dead. A node with one live child becomes
// that child, so that chains vanish (tree-compaction). A node with two gets the box around both. A
// workgroup makes one node of the highest of these levels, and all nodes below it.

#include "contours.glsl"
#include "cubes.glsl"
#include "tree.glsl"

layout(constant_id = CONSTANT_BOX_LANES) const uint LANES = GROUP;
layout(local_size_x_id = CONSTANT_BOX_LANES) in;
layout(push_constant, scalar) uniform Push
{
    bvh_push pushed;
};
bvh_push push = pushed; // read before any branch, see shaders/README.md
cast_contour contour = contours.list[push.contour];

SHARES(bvh, BINDING_BVH, uvec4)

const uint DEAD = 0xffffffffu;

// A node, and its entry in the node above it: its number, or for a leaf BVH_LEAF and the leaf's position.
struct Child {
    uint entry;
    uvec4 node;
};

bool in_level(Level level, uvec3 node)
{
    return all(lessThanEqual(node, uvec3(LEAVES_X - 1, LEAVES_Y - 1, LEAVES_Z - 1) >> level_shift(level)));
}

uvec4 leaf_of(Level level, uvec3 node)
{
    const uint word = tree_word(tree_node(level, node));
    const uint place = node.x | node.y << 10 | node.z << 20;
    const bool counts = cube_counts(word, contour);
    return mix(uvec4(DEAD), uvec4(place, place, 0, 0), bvec4(counts));
}

// A node of the level below. Outside the volume there is no node: the result is a dead one.
Child child_of(Level level, uvec3 node)
{
    Child child = Child(DEAD, uvec4(DEAD));
    if (in_level(level, node)) {
        const uint number = tree_node(level, node) - 2 * push.levels;
        child.node = level_of_leaves(level) ? leaf_of(level, node) : bvh[number];
        child.entry = mix(number, child.node.x | BVH_LEAF, child.node.x == child.node.y);
    }
    return child;
}

// The node with the box around two children; a dead child is left out.
uvec4 around(Child a, Child b)
{
    const uvec3 shift = uvec3(0, 10, 20);
    const uvec3 first = min(uvec3(a.node.x) >> shift & 0x3ffu, uvec3(b.node.x) >> shift & 0x3ffu) << shift;
    const uvec3 last = max(uvec3(a.node.y) >> shift & 0x3ffu, uvec3(b.node.y) >> shift & 0x3ffu) << shift;
    const uvec4 both = uvec4(first.x | first.y | first.z, last.x | last.y | last.z, a.entry, b.entry);
    return mix(mix(both, b.node, bvec4(a.node.x == DEAD)), a.node, bvec4(b.node.x == DEAD));
}

// The node with this number, in a grid of 2^bits nodes along x, y and z. Numbers go along x first.
uvec3 node_in_grid(uvec3 bits, uint number)
{
    return uvec3(number, number >> bits.x, number >> bits.x + bits.y) & ~(~uvec3(0) << bits);
}

// A node of a level over its children in the level below. A volume of one leaf has no level below.
uvec4 node_of(Level level, Level below, uvec3 node)
{
    const uvec3 axis = level_axis(below), lower = node << axis;
    return level_of_leaves(level) ? leaf_of(level, node)
                                  : around(child_of(below, lower), child_of(below, lower + axis));
}

void main()
{
    const uvec3 top = level_shift(tree_level(push.first));
    Level below = tree_level(min(push.last + 1, push.levels - 1));
    for (uint up = 0; up <= push.last - push.first; up++) {
        const Level level = tree_level(push.last - up);
        const uvec3 bits = top - level_shift(level);
        const uint nodes = 1u << bits.x + bits.y + bits.z;
        uint i = group_lane();
        do {
            const uvec3 node = (gl_WorkGroupID << bits) + node_in_grid(bits, i);
            if (i < nodes && in_level(level, node)) {
                bvh[tree_node(level, node) - 2 * push.levels] = node_of(level, below, node);
            }
            i += LANES;
        } while (i < nodes);
        below = level;
        group_barrier();
    }
}
