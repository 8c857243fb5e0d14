// An implicit min/max kd-tree over a volume: its leaves are cubes of cells. It depends on the
// samples alone, so it is made once. After Wald et al. 2005 (Faster isosurface ray tracing using
// implicit kd-trees): the numbers of a node's children follow from its number.
//
// A level halves the nodes of the level above along the axis where they are longest; if axes are
// equal, x comes before y before z. Along it, node n has children 2n and 2n + 1. The second child
// is missing if it is beyond the volume. So the shape depends only on the numbers of leaves.
#pragma once

#include "compute/casting/skips.h"
#include "shaders/shared/casting.h"

#define TREE_LEVELS (3 * TREE_HALVINGS + 1) // at most

struct tree_level {
    uint32_t first;    // number of its first node; within a level x varies fastest, then y
    uint32_t dim[3];   // nodes along x, y, z
    uint32_t shift[3]; // a node has 2^shift leaves along each axis
    uint32_t axis;     // axis along which the level above is halved; 0 for the root
};

struct tree {
    uint32_t shift; // a leaf has 2^shift cells a side
    uint32_t depth; // number of the level of leaves; the root's is 0
    uint32_t nodes; // number of nodes of all levels
    struct tree_level levels[TREE_LEVELS];
};

// Sets the shape for a volume with these skips. Leaves have 2^shift cells a side, or more: at least
// as many as a fine cube, and enough that an axis has at most 2^TREE_HALVINGS leaves, the depth is
// at most `deepest`, and a texel buffer of the device can hold the words.
void tree_shape(
    const struct gpu *gpu, const uint32_t dim[3], const struct skips *skips, uint32_t shift,
    uint32_t deepest, struct tree *out);

// Number of words of tree_fill: two for each level, then one for each node.
uint32_t tree_words(const struct tree *tree);

// Writes the words as shaders/lib/tree.glsl reads them. `fine`: the words of the fine cubes, which
// skips_fill has written.
void tree_fill(
    const struct tree *tree, const struct skips *skips, const uint32_t *fine, uint32_t *words);
