// An implicit min/max kd-tree over a volume: its leaves are cubes of cells. It depends on the
// samples alone, so it is made once. After Wald et al. 2005 (Faster isosurface ray tracing using
// implicit kd-trees): the place of a node says where its children are.
//
// A level halves each node of the one above along one axis: that along which a node is longest, x
// before y before z. Node n of an axis has children 2n and 2n + 1, of which the second one may be
// beyond the volume: then it is not there. So the shape follows from the numbers of leaves alone.
#pragma once

#include "compute/casting/skips.h"
#include "shaders/shared/casting.h"

#define TREE_LEVELS (3 * TREE_HALVINGS + 1) // at most

struct tree_level {
    uint32_t first;    // number of its first node; nodes of a level stand x first, then y
    uint32_t dim[3];   // nodes along x, y, z
    uint32_t shift[3]; // a node has 2^shift leaves along each axis
    uint32_t axis;     // along which the nodes of the level above are halved; of the root: 0
};

struct tree {
    uint32_t shift; // a leaf has 2^shift cells a side
    uint32_t depth; // number of the level of leaves; the root's is 0
    uint32_t nodes; // of all levels
    struct tree_level levels[TREE_LEVELS];
};

// The shape for a volume with these skips, whose leaves have 2^shift cells a side. They have more
// where the fine cubes have, where an axis would have more than 2^TREE_HALVINGS of them, where the
// depth would be more than `deepest`, or where texel buffers of the device would not hold the
// words.
void tree_shape(
    const struct gpu *gpu, const uint32_t dim[3], const struct skips *skips, uint32_t shift,
    uint32_t deepest, struct tree *out);

// Of tree_fill: two for each level, then one for each node.
uint32_t tree_words(const struct tree *tree);

// Writes the words as shaders/lib/tree.glsl reads them. `fine`: the words of the fine cubes, which
// skips_fill has written.
void tree_fill(
    const struct tree *tree, const struct skips *skips, const uint32_t *fine, uint32_t *words);
