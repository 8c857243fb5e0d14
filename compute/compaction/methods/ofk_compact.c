// Out-of-kernel compaction, which Hughes et al. compare with. See shaders/compact/ofk_count.comp,
// ofk_scan.comp and ofk_compact.comp.

#include "compute/compaction/kernels.h"

#include "shaders/shared/ofk_compact.h"

#include "ofk_compact_streams.h"
#include "ofk_count_streams.h"
#include "ofk_scan_streams.h"

struct ofk_push {
    struct compact_push stream;
    struct ofk_own own;
};

static COMPACT_KERNELS(
    struct ofk_push, "ofk count", ofk_count, STREAM_PORTS,
    PORT(struct ofk_push, own.masks, ACCESS_WRITE),
    PORT(struct ofk_push, own.blocks, ACCESS_WRITE));
static COMPACT_KERNELS(
    struct ofk_push, "ofk scan", ofk_scan, PORT(struct compact_push, source_counter, ACCESS_READ),
    PORT(struct ofk_push, own.blocks, ACCESS_READ_WRITE),
    PORT(struct compact_push, counter, ACCESS_WRITE));
static COMPACT_KERNELS(
    struct ofk_push, "ofk compact", ofk_compact, PORT(struct compact_push, source, ACCESS_READ),
    PORT(struct compact_push, source_counter, ACCESS_READ),
    PORT(struct ofk_push, own.masks, ACCESS_READ), PORT(struct ofk_push, own.blocks, ACCESS_READ),
    PORT(struct compact_push, counter, ACCESS_READ), PORT(struct compact_push, list, ACCESS_WRITE));

// A mask per lane, a count per workgroup.
static struct compaction_scratch
ofk_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)stream;
    (void)block;
    return (struct compaction_scratch){
        .masks = size->lanes,
        .blocks = ((uint64_t)size->lanes + GROUP - 1) / GROUP,
    };
}

static void
ofk_record(const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    const struct ofk_push push = {
        compaction_push(compaction, what),
        { .masks = compaction->masks.address, .blocks = compaction->blocks.address },
    };
    compaction_record_passes(compaction, run, what, &push);
}

const struct method method_ofk_compact = {
    .name = "ofk-compact",
    .summary = "in three kernels, order kept: counts each block, scans the counts, compacts",
    .paper = "Hughes et al. 2013, the out-of-kernel form it compares with",
    .order = ORDER_STREAM,
    .cost = { .reads = 1, .lane = 8, .kept = 8, .dispatches = 3 },
    .passes = { { ofk_count, PASS_LANES },
                { ofk_scan, PASS_ONE_GROUP },
                { ofk_compact, PASS_LANES } },
    .scratch = ofk_scratch,
    .record = ofk_record,
};
