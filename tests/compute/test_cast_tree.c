// The trees of casters on the host: each cell is in one leaf, the levels' shifts lead from every
// node to every other one, and each node knows the samples of its cells.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compute/casting/tree.h"
#include "volumes/cubes.h"
#include "volumes/generate.h"

static struct gpu gpu; // only its limit

static const struct {
    uint32_t dim[3], shift;
} shapes[] = {
    { { 2, 2, 2 }, 3 },    { { 2, 30, 30 }, 3 },   { { 9, 9, 9 }, 3 },    { { 10, 9, 18 }, 3 },
    { { 17, 5, 70 }, 2 },  { { 70, 61, 50 }, 4 },  { { 33, 34, 65 }, 3 }, { { 41, 37, 40 }, 5 },
    { { 6000, 2, 3 }, 2 }, { { 3, 16000, 2 }, 3 }, { { 65, 65, 65 }, 3 }, { { 64, 64, 64 }, 2 },
};
#define SHAPES (sizeof shapes / sizeof *shapes)

static void shape(size_t i, struct skips *skips, struct tree *tree)
{
    skips_shape(&gpu, shapes[i].dim, shapes[i].dim, skips);
    tree_shape(&gpu, shapes[i].dim, skips, shapes[i].shift, TREE_LEVELS, tree);
}

static uint32_t node_at(const struct tree_level *level, const uint32_t node[3])
{
    return level->first + (node[2] * level->dim[1] + node[1]) * level->dim[0] + node[0];
}

// Visits the nodes below one, by the rule that says where children are. Counts visits of each.
static void
descend(const struct tree *tree, uint32_t depth, const uint32_t node[3], uint32_t *visits)
{
    visits[node_at(&tree->levels[depth], node)]++;
    if (depth == tree->depth) {
        return;
    }
    const struct tree_level *level = &tree->levels[depth + 1];
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t child[3] = { node[0], node[1], node[2] };
        child[level->axis] = 2 * child[level->axis] + side;
        if (child[level->axis] < level->dim[level->axis]) {
            descend(tree, depth + 1, child, visits);
        }
    }
}

static void test_shape(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        struct skips skips;
        struct tree tree;
        shape(i, &skips, &tree);
        assert_true(tree.shift >= shapes[i].shift && tree.depth < TREE_LEVELS);
        const struct tree_level *leaves = &tree.levels[tree.depth];
        for (int a = 0; a < 3; a++) {
            // Leaves cover the cells, and each holds some.
            assert_int_equal(leaves->shift[a], 0);
            assert_true(leaves->dim[a] << tree.shift >= shapes[i].dim[a] - 1);
            assert_true((leaves->dim[a] - 1) << tree.shift < shapes[i].dim[a] - 1);
            assert_int_equal(tree.levels[0].dim[a], 1);
        }
        for (uint32_t d = 1; d <= tree.depth; d++) {
            const struct tree_level *level = &tree.levels[d], *above = level - 1;
            for (uint32_t a = 0; a < 3; a++) {
                assert_int_equal(above->shift[a], level->shift[a] + (a == level->axis));
                assert_true(above->shift[a] <= above->shift[level->axis]);
                assert_int_equal(level->dim[a], ((leaves->dim[a] - 1) >> level->shift[a]) + 1);
            }
        }
        uint32_t *visits = calloc(tree.nodes, sizeof *visits);
        descend(&tree, 0, (const uint32_t[3]){ 0 }, visits);
        for (uint32_t k = 0; k < tree.nodes; k++) {
            assert_int_equal(visits[k], 1);
        }
        free(visits);
    }
}

// A node's word is the range of the samples of its cells' corners.
static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        const uint32_t *dim = shapes[i].dim;
        struct volume volume;
        struct problem problem = { 0 };
        struct cubes cubes;
        struct skips skips;
        struct tree tree;
        assert_true(volume_generate("noise", dim, VOLUME_UINT8, &volume, &problem));
        assert_true(volume_cubes(&volume, NULL, &cubes, &problem));
        shape(i, &skips, &tree);
        uint32_t *fine = malloc(skips.words * sizeof *fine);
        uint32_t *words = malloc(tree_words(&tree) * sizeof *words);
        struct atlas atlas = { .type = VOLUME_UINT8 };
        atlas_set_extent(&atlas, &volume, NULL);
        assert_true(skips_fill(&skips, &cubes, &atlas, fine, &problem));
        tree_fill(&tree, &skips, fine, words);
        assert_int_equal(skips.bits, 0);
        for (uint32_t d = 0; d <= tree.depth; d++) {
            const struct tree_level *level = &tree.levels[d];
            uint32_t node[3];
            for (node[2] = 0; node[2] < level->dim[2]; node[2]++) {
                for (node[1] = 0; node[1] < level->dim[1]; node[1]++) {
                    for (node[0] = 0; node[0] < level->dim[0]; node[0]++) {
                        uint32_t low[3], last[3], least = UINT32_MAX, most = 0;
                        for (int a = 0; a < 3; a++) {
                            const uint32_t shift = level->shift[a] + tree.shift;
                            low[a] = node[a] << shift;
                            last[a] = (node[a] + 1) << shift;
                            last[a] = last[a] < dim[a] - 1 ? last[a] : dim[a] - 1;
                        }
                        for (uint32_t z = low[2]; z <= last[2]; z++) {
                            for (uint32_t y = low[1]; y <= last[1]; y++) {
                                for (uint32_t x = low[0]; x <= last[0]; x++) {
                                    const uint32_t key = (uint32_t)volume_sample(&volume, x, y, z);
                                    least = key < least ? key : least;
                                    most = key > most ? key : most;
                                }
                            }
                        }
                        const uint32_t word = (least - skips.base) << 16 | (most - skips.base);
                        const uint32_t at = node_at(level, node) - level->first;
                        assert_int_equal(words[words[2 * d] + at], word);
                    }
                }
            }
            for (uint32_t a = 0; a < 3; a++) {
                assert_int_equal(words[2 * d + 1] >> 8 * a & 0xff, level->shift[a]);
            }
            assert_int_equal(words[2 * d + 1] >> TREE_AXIS, level->axis);
        }
        free(fine);
        free(words);
        cubes_destroy(&cubes);
        volume_destroy(&volume);
    }
}

// A device of short texel buffers gets larger leaves, and so does who cannot go deep.
static void test_limit(void **state)
{
    (void)state;
    const uint32_t dim[3] = { 300, 300, 300 };
    struct skips skips;
    struct tree tree;
    gpu.properties.limits.maxTexelBufferElements = 65536;
    skips_shape(&gpu, dim, dim, &skips);
    tree_shape(&gpu, dim, &skips, 3, TREE_LEVELS, &tree);
    assert_int_equal(tree.shift, 4);
    assert_true(tree_words(&tree) <= 65536);
    gpu.properties.limits.maxTexelBufferElements = 1 << 27;
    tree_shape(&gpu, dim, &skips, 3, 18, &tree);
    assert_int_equal(tree.shift, 3);
    assert_int_equal(tree.depth, 18);
    tree_shape(&gpu, dim, &skips, 3, 17, &tree);
    assert_int_equal(tree.shift, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_limit),
    };
    gpu.properties.limits.maxTexelBufferElements = 1 << 27;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
