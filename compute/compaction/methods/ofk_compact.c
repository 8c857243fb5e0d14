// Out of kernel, as Hughes et al. compare with: see shaders/compact/ofk_count.comp and what
// follows.

#include "compute/compaction/kernels.h"

#include "ofk_compact_streams.h"
#include "ofk_count_streams.h"
#include "ofk_scan_streams.h"

static COMPACT_KERNELS(
    "ofk count", ofk_count, STREAM_PORTS, PORT(struct compact_push, masks, ACCESS_WRITE),
    PORT(struct compact_push, blocks, ACCESS_WRITE));
static COMPACT_KERNELS(
    "ofk scan", ofk_scan, PORT(struct compact_push, source_head, ACCESS_READ),
    PORT(struct compact_push, blocks, ACCESS_READ_WRITE),
    PORT(struct compact_push, head, ACCESS_WRITE));
static COMPACT_KERNELS(
    "ofk compact", ofk_compact, PORT(struct compact_push, source, ACCESS_READ),
    PORT(struct compact_push, source_head, ACCESS_READ),
    PORT(struct compact_push, masks, ACCESS_READ), PORT(struct compact_push, blocks, ACCESS_READ),
    PORT(struct compact_push, head, ACCESS_READ), PORT(struct compact_push, list, ACCESS_WRITE));

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

const struct method method_ofk_compact = {
    .name = "ofk-compact",
    .summary = "out of kernel, order kept: count, scan the blocks, compact",
    .paper = "Hughes et al. 2013, the out-of-kernel form it compares with",
    .order = ORDER_STREAM,
    .cost = { .reads = 1, .lane = 8, .kept = 8, .dispatches = 3 },
    .passes = { { ofk_count, PASS_LANES },
                { ofk_scan, PASS_ONE_GROUP },
                { ofk_compact, PASS_LANES } },
    .scratch = ofk_scratch,
};
