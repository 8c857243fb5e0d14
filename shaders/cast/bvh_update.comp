#version 460
// Makes the boxes over the leaves that the isovalue meets, from the leaves upwards (Hughes et al. 2013, 3.1.2):
// a node without a child that is alive is dead; one with one such child becomes that child, so that chains
// vanish (tree-compaction); one with two gets the box around both.
//
// A workgroup makes the nodes of up to 8 levels below a node of level `top`, from level `bottom` on, which it
// makes from the leaves' words or finds already made. Lane i of a level has the i-th node of that level: the
// bits of i are the halves, the upper ones first.

#include "buffers.glsl"
#include "cubes.glsl"
#include "tree.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    bvh_push push;
};

SHARES(bvh, BINDING_BVH, uvec4)

const uint DEAD = 0xffffffffu;
shared uvec4 nodes[GROUP]; // of the level that was made last

// Number of a node in the buffer of boxes.
uint bvh_node(Level level, uvec3 node)
{
    return tree_node(level, node) - 2 * push.levels;
}

// Goes down from the group's node to the i-th of a level. The node need not be there.
uvec3 node_below(uint depth, uint i)
{
    uvec3 node = gl_WorkGroupID;
    for (uint d = push.top + 1; d <= depth; d++) {
        const uvec3 axis = level_axis(tree_level(d));
        node = (node << axis) + axis * (i >> depth - d & 1);
    }
    return node;
}

uvec4 leaf_of(Level level, uvec3 node)
{
    const uint word = tree_word(tree_node(level, node));
    const uint place = node.x | node.y << 10 | node.z << 20;
    return cube_counts(word, push.most, push.least) ? uvec4(place, place, DEAD, DEAD) : uvec4(DEAD);
}

// The node around two children, whose numbers are these.
uvec4 around(uvec4 a, uvec4 b, uint number_a, uint number_b)
{
    const uvec3 shift = uvec3(0, 10, 20);
    const uvec3 first = min(uvec3(a.x) >> shift & 0x3ffu, uvec3(b.x) >> shift & 0x3ffu) << shift;
    const uvec3 last = max(uvec3(a.y) >> shift & 0x3ffu, uvec3(b.y) >> shift & 0x3ffu) << shift;
    uvec4 both = uvec4(first.x | first.y | first.z, last.x | last.y | last.z, number_a, number_b);
    both = mix(both, b, bvec4(a.x == DEAD));
    return mix(both, a, bvec4(b.x == DEAD));
}

bool in_level(Level level, uvec3 node)
{
    const uvec3 last = uvec3(LEAVES_X - 1, LEAVES_Y - 1, LEAVES_Z - 1) >> level_shift(level);
    return all(lessThanEqual(node, last));
}

// A node of the lowest level. Beyond the volume there is none, which is as if it were dead.
uvec4 first_of(Level level, uvec3 node)
{
    uvec4 own = uvec4(DEAD);
    if (in_level(level, node)) {
        const uint number = bvh_node(level, node);
        if (level_of_leaves(level)) {
            own = leaf_of(level, node);
            bvh[number] = own;
        } else {
            own = bvh[number];
        }
    }
    return own;
}

// A node above two.
uvec4 next_of(Level level, Level below, uvec3 node, uvec4 a, uvec4 b)
{
    uvec4 own = uvec4(DEAD);
    if (in_level(level, node)) {
        const uvec3 axis = level_axis(below), lower = node << axis;
        own = around(a, b, bvh_node(below, lower), bvh_node(below, lower + axis));
        bvh[bvh_node(level, node)] = own;
    }
    return own;
}

void main()
{
    const uint lane = group_lane();
    Level level = tree_level(push.bottom);
    nodes[lane] = uvec4(DEAD);
    if (lane < 1u << push.bottom - push.top) {
        nodes[lane] = first_of(level, node_below(push.bottom, lane));
    }
    for (uint depth = push.bottom; depth-- > push.top;) {
        const Level below = level;
        const bool has = lane < 1u << depth - push.top;
        uvec4 a = uvec4(DEAD), b = uvec4(DEAD);
        barrier();
        if (has) {
            a = nodes[2 * lane];
            b = nodes[2 * lane + 1];
        }
        barrier();
        level = tree_level(depth);
        if (has) {
            nodes[lane] = next_of(level, below, node_below(depth, lane), a, b);
        }
    }
}
