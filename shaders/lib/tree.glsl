// The implicit min/max kd-tree over the leaves of a volume (compute/casting/tree.h). The nodes
// of a level are stored like voxels, x first, without pointers. A node has a word like a cube's
// (cubes.glsl).
//
// The buffer begins with two words for each level: the index of its first node, and its shifts.
#ifndef LIB_TREE
#define LIB_TREE

#include "grid.glsl"
#include "shaders/shared/casting.h"

layout(constant_id = CONSTANT_LEAF_SHIFT) const uint LEAF_SHIFT = 3;
layout(set = 0, binding = BINDING_TREE, r32ui) readonly uniform uimageBuffer tree;

const uint LEAVES_X = (DIM_X - 2 >> LEAF_SHIFT) + 1, LEAVES_Y = (DIM_Y - 2 >> LEAF_SHIFT) + 1;
const uint LEAVES_Z = (DIM_Z - 2 >> LEAF_SHIFT) + 1;

struct Level {
    uint first;  // index of the word of its first node
    uint shifts; // see TREE_AXIS
};

Level tree_level(uint depth)
{
    return Level(imageLoad(tree, int(2 * depth)).r, imageLoad(tree, int(2 * depth + 1)).r);
}

// A node has 2^shift leaves along each axis.
uvec3 level_shift(Level level)
{
    return uvec3(level.shifts, level.shifts >> 8, level.shifts >> 16) & 0xffu;
}

bool level_of_leaves(Level level)
{
    return (level.shifts & 0xffffffu) == 0;
}

// 1 for the axis along which the nodes of the level above are halved, 0 for the others.
uvec3 level_axis(Level level)
{
    return uvec3(equal(uvec3(level.shifts >> TREE_AXIS), uvec3(0, 1, 2)));
}

// The number of the node at these coordinates: the index of its word.
uint tree_node(Level level, uvec3 node)
{
    const uvec3 shift = level_shift(level);
    const uint along_x = (LEAVES_X - 1 >> shift.x) + 1, along_y = (LEAVES_Y - 1 >> shift.y) + 1;
    return level.first + (node.z * along_y + node.y) * along_x + node.x;
}

uint tree_word(uint node)
{
    return imageLoad(tree, int(node)).r;
}

#endif
