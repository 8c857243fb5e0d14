#include "compute/casting/tree.h"

// The axis along which a node of the level is longest.
static uint32_t tree_longest(const struct tree_level *level)
{
    uint32_t axis = 0;
    for (uint32_t i = 1; i < 3; i++) {
        axis = level->shift[i] > level->shift[axis] ? i : axis;
    }
    return axis;
}

// Sets the levels for `leaves` along x, y, z. Returns the number of nodes.
static uint64_t tree_shape_levels(const uint32_t leaves[3], struct tree *out)
{
    struct tree_level level = { 0 };
    for (int i = 0; i < 3; i++) {
        while (skips_above(leaves[i], level.shift[i]) > 1) {
            level.shift[i]++;
        }
    }
    uint64_t nodes = 0;
    for (out->depth = 0;; out->depth++) {
        uint64_t count = 1;
        for (int i = 0; i < 3; i++) {
            level.dim[i] = skips_above(leaves[i], level.shift[i]);
            count *= level.dim[i];
        }
        level.first = (uint32_t)nodes;
        nodes += count;
        out->levels[out->depth] = level;
        level.axis = tree_longest(&level);
        if (level.shift[level.axis] == 0) {
            return nodes;
        }
        level.shift[level.axis]--;
    }
}

// Sets the levels for leaves of 2^shift cells a side. False: there are too many leaves or nodes.
static bool tree_fits(const struct gpu *gpu, const uint32_t dim[3], struct tree *tree)
{
    uint32_t leaves[3], most = 1;
    for (int i = 0; i < 3; i++) {
        leaves[i] = skips_above(dim[i] - 1, tree->shift);
        most = leaves[i] > most ? leaves[i] : most;
    }
    if (most > 1u << TREE_HALVINGS) {
        return false;
    }
    const uint64_t nodes = tree_shape_levels(leaves, tree);
    tree->nodes = (uint32_t)nodes;
    return nodes + 2 * TREE_LEVELS <= gpu->properties.limits.maxTexelBufferElements;
}

void tree_shape(
    const struct gpu *gpu, const uint32_t dim[3], const struct skips *skips, uint32_t shift,
    uint32_t deepest, struct tree *out)
{
    *out = (struct tree){ .shift = shift > skips->shift ? shift : skips->shift };
    while (!tree_fits(gpu, dim, out) || out->depth > deepest) {
        out->shift++;
    }
}

uint32_t tree_words(const struct tree *tree)
{
    return 2 * (tree->depth + 1) + tree->nodes;
}

// The range that covers the ranges of two words; see skips_write.
static uint32_t tree_unite(uint32_t a, uint32_t b)
{
    const uint32_t least = a >> 16 < b >> 16 ? a >> 16 : b >> 16;
    const uint32_t most = (a & 0xffff) > (b & 0xffff) ? a & 0xffff : b & 0xffff;
    return least << 16 | most;
}

// Computes the nodes of a level from the level below. Along an axis, node n covers elements n <<
// shift up to, but not including, (n + 1) << shift.
static void tree_reduce(
    const uint32_t *below, const uint32_t dim[3], const uint32_t shift[3],
    const struct tree_level *to, uint32_t *out)
{
    for (uint32_t i = 0; i < to->dim[0] * to->dim[1] * to->dim[2]; i++) {
        out[i] = SKIPS_NOTHING;
    }
    for (uint32_t z = 0; z < dim[2]; z++) {
        for (uint32_t y = 0; y < dim[1]; y++) {
            uint32_t *row = out + ((z >> shift[2]) * to->dim[1] + (y >> shift[1])) * to->dim[0];
            for (uint32_t x = 0; x < dim[0]; x++, below++) {
                row[x >> shift[0]] = tree_unite(row[x >> shift[0]], *below);
            }
        }
    }
}

void tree_fill(
    const struct tree *tree, const struct skips *skips, const uint32_t *fine, uint32_t *words)
{
    uint32_t *nodes = words + 2 * (tree->depth + 1);
    const uint32_t wider = tree->shift - skips->shift;
    const struct tree_level *leaves = &tree->levels[tree->depth];
    tree_reduce(
        fine, skips->fine, (const uint32_t[3]){ wider, wider, wider }, leaves,
        nodes + leaves->first);
    for (uint32_t d = tree->depth; d-- > 0;) {
        const struct tree_level *to = &tree->levels[d], *from = to + 1;
        uint32_t shift[3] = { 0 };
        shift[from->axis] = 1;
        tree_reduce(nodes + from->first, from->dim, shift, to, nodes + to->first);
    }
    for (uint32_t d = 0; d <= tree->depth; d++) {
        const struct tree_level *level = &tree->levels[d];
        words[2 * d] = level->first + 2 * (tree->depth + 1);
        words[2 * d + 1] = level->shift[0] | level->shift[1] << 8 | level->shift[2] << 16 |
                           level->axis << TREE_AXIS;
    }
}
