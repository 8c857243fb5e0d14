// A tree of boxes around the leaves of the kd-tree (tree.h) that the isovalue meets. It is built
// again for each isovalue, and no node has a single child (Hughes et al. 2013, 3.1.2:
// tree-compaction). Nodes are numbered as in the kd-tree, so the memory does not depend on the
// isovalue.
#pragma once

#include "compute/casting/tree.h"
#include "compute/gpu/run.h"
#include "shaders/shared/extraction.h"

// Zero-initialised means empty.
struct bvh {
    struct buffer nodes; // four 32-bit words per node, see shaders/shared/casting.h
    struct kernel update;
};

// Bytes of device memory. GPU_TOO_MUCH where this is more than a limit of the device.
uint64_t bvh_bytes(const struct gpu *gpu, const struct tree *tree);

// `constants`: all specialization constants, including those of the tree. On false `out` is empty.
bool bvh_create(
    struct gpu *gpu, const struct tree *tree, const uint32_t constants[CONSTANTS], struct bvh *out,
    struct problem *problem);
void bvh_destroy(struct gpu *gpu, struct bvh *bvh);

// Records the kernels that build the nodes for the first contour. `table` binds the contours, the
// kd-tree and the nodes.
void bvh_record(
    struct bvh *bvh, const struct tree *tree, struct run *run,
    const struct binding table[BINDINGS]);
