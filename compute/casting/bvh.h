// Boxes over the leaves of a tree that the isovalue meets: an explicit tree, made anew for each
// isovalue, in which no node has a single child (Hughes et al. 2013, 3.1.2: tree-compaction). Its
// nodes have the numbers of the kd-tree's, so as many are made whatever the isovalue is.
#pragma once

#include "compute/casting/tree.h"
#include "compute/gpu/run.h"
#include "shaders/shared/extraction.h"

// Zero-initialised means empty.
struct bvh {
    struct buffer nodes; // four words each, see shaders/shared/casting.h
    struct kernel update;
};

// Device memory; GPU_TOO_MUCH where it is more than a limit of the device.
uint64_t bvh_bytes(const struct gpu *gpu, const struct tree *tree);

// `constants`: all CONSTANTS, with those of the tree. On false `out` is empty.
bool bvh_create(
    struct gpu *gpu, const struct tree *tree, const uint32_t constants[CONSTANTS], struct bvh *out,
    struct problem *problem);
void bvh_destroy(struct gpu *gpu, struct bvh *bvh);

// Records the making for the first contour. The table has the contours, the tree's words and the
// nodes.
void bvh_record(
    struct bvh *bvh, const struct tree *tree, struct run *run,
    const struct binding table[BINDINGS]);
