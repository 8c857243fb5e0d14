// The casters: ways to find where rays meet the isosurface. All find the same hits, to the last bit
// (shaders/lib/ray.glsl); they differ in what they skip on the way.
#pragma once

#include "shaders/shader.h"

#include <stdbool.h>

// What a caster has beside the cubes.
enum caster_tree {
    CASTER_CUBES, // nothing
    CASTER_KD,    // the implicit kd-tree (tree.h)
    CASTER_BVH,   // boxes over its leaves that the isovalue meets, made in each cast (bvh.h)
};

#define CASTERS_MOST 16 // of the table

// A caster's kernel with another way to find the surface in a cell (shaders/lib/cell_tests.glsl).
struct caster_test {
    const char *name;
    const struct shader *buffer, *image;
};

// A row of the table. A measurement may cast with a copy of one that has other members; the copy
// must outlive the casting.
struct caster {
    const char *name;    // as people type it
    const char *summary; // one line
    const char *paper;   // where it is from
    // The kernel, which casts a ray per pixel, for an atlas in a buffer and in an image.
    const struct shader *buffer, *image;
    // Its rays begin and end at the cubes that their squares of pixels see (spans.h), and it reads
    // masks (masks.h). It is dispatched over the squares that see any.
    bool spans;
    // The same kernels, for measurements: in place of t they write how many iterations the ray's
    // loops took, for a miss too. NULL: there are none.
    const struct shader *turns_buffer, *turns_image;
    const struct caster_test *tests; // for measurements, ended by a NULL name; NULL: none
    enum caster_tree tree;
    uint32_t leaf;  // a leaf of the tree has 2^leaf cells a side, or more (tree_shape)
    bool wavefront; // in place of one kernel: rounds, between which a method compacts (wavefront.h)
    // For measurements: rounds in which every method compacts in kernels of its own, also one that
    // could do so in the round's.
    bool separate;
};

// The table, in the order that people see: the caster after this one, NULL after the last one. NULL
// gives the first one.
const struct caster *caster_next(const struct caster *caster);

const struct caster *caster_default(void);
const struct caster *caster_find(const char *name); // NULL: there is none
