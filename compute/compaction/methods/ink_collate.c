// InK-Collate: see shaders/compact/ink_collate.comp.

#include "compute/compaction/kernels.h"

#include "shaders/shared/ink_collate.h"

#include "ink_collate_streams.h"

struct ink_collate_push {
    struct compact_push stream;
    struct ink_collate_own own;
};

static COMPACT_KERNELS(
    struct ink_collate_push, "ink-collate", ink_collate, STREAM_PORTS,
    PORT(struct compact_push, counter, ACCESS_READ_WRITE),
    PORT(struct compact_push, list, ACCESS_WRITE),
    PORT(struct ink_collate_push, own.classify_arguments, ACCESS_READ_WRITE));

static void ink_collate_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    const struct ink_collate_push push = {
        compaction_push(compaction, what),
        { .classify_arguments = what->classify_arguments },
    };
    compaction_record_passes(compaction, run, what, &push);
}

const struct method method_ink_collate = {
    .name = "ink-collate",
    .summary = "in the kernel that tests the elements: blocks in any order, one atomic per block",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 2.4",
    .order = ORDER_WITHIN_BLOCKS,
    .writes_arguments = true,
    .cost = { .reads = 1, .kept = 4, .dispatches = 1 },
    .passes = { { ink_collate, PASS_ITEMS } },
    .record = ink_collate_record,
};
