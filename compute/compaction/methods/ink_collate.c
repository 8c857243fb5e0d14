// InK-Collate: see shaders/compact/ink_collate.comp.

#include "compute/compaction/kernels.h"

#include "ink_collate_streams.h"

static COMPACT_KERNELS(
    "ink-collate", ink_collate, STREAM_PORTS, PORT(struct compact_push, head, ACCESS_READ_WRITE),
    PORT(struct compact_push, list, ACCESS_WRITE),
    PORT(struct compact_push, groups, ACCESS_READ_WRITE));

const struct method method_ink_collate = {
    .name = "ink-collate",
    .summary = "in-kernel, blocks in any order: one atomic per block",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 2.4",
    .order = ORDER_WITHIN_BLOCKS,
    .arranges = true,
    .cost = { .reads = 1, .kept = 4, .dispatches = 1 },
    .passes = { { ink_collate, PASS_ITEMS } },
};
