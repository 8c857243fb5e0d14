// The casters: ways to find where rays meet the isosurface. All find the same hits, to the last bit
// (shaders/lib/ray.glsl); they differ in what they skip on the way.
#pragma once

#include "shaders/shader.h"

#include <stdbool.h>

// The tree that a caster uses in addition to the cubes.
enum caster_tree {
    CASTER_CUBES, // no tree
    CASTER_KD,    // the implicit kd-tree (tree.h)
    CASTER_BVH,   // boxes around the leaves that the isovalue meets, built in each cast (bvh.h)
};

#define CASTERS_MOST 16 // most rows of the table

// A caster's kernel that finds hits in a cell in another way (shaders/lib/cell_tests.glsl).
struct caster_test {
    const char *name;
    const struct shader *buffer, *image;
};

// A row of the table. A measurement may cast with a copy of a row and change its members; the copy
// must outlive the casting.
struct caster {
    const char *name;    // as people type it
    const char *summary; // one line
    const char *paper;   // publication that describes it
    // The kernel for an atlas in a buffer, and for one in an image. It casts a ray per pixel.
    const struct shader *buffer, *image;
    // The kernel uses spans and masks (spans.h, masks.h): a ray begins and ends at the cubes that
    // its square of pixels sees. It is dispatched over the squares that see a cube.
    bool spans;
    // Variants of the two kernels for measurements: instead of t they write the number of
    // iterations of the ray's loops, also for a miss. NULL: there are none.
    const struct shader *turns_buffer, *turns_image;
    const struct caster_test *tests; // for measurements; the last one has no name; NULL: none
    enum caster_tree tree;
    uint32_t leaf;  // a leaf of the tree has 2^leaf cells a side, or more (tree_shape)
    bool wavefront; // runs in rounds with compaction between them (wavefront.h), not as one kernel
    // For measurements: every method compacts in its own kernels, even one that could compact in
    // the kernels of the round.
    bool separate;
};

// Iterates over the table, in the order that people see. Returns the caster after `caster`, or NULL
// after the last one. `caster` NULL: returns the first one.
const struct caster *caster_next(const struct caster *caster);

const struct caster *caster_default(void);
const struct caster *caster_find(const char *name); // NULL: there is none
