// Chag's compaction (Billeter, Olsson and Assarsson 2009): up to RANGES workgroups, each with a
// contiguous range of the stream. In two forms: the second pass reads the stream again, or masks
// that the first pass has written.

#include "compute/compaction/kernels.h"

#include "shaders/shared/chag.h"

#include "chag_ballot_compact_streams.h"
#include "chag_ballot_count_streams.h"
#include "chag_compact_streams.h"
#include "chag_count_streams.h"
#include "chag_scan_streams.h"

struct chag_push {
    struct compact_push stream;
    struct chag_own own;
};

static COMPACT_KERNELS(
    struct chag_push, "chag count", chag_count, STREAM_PORTS,
    PORT(struct chag_push, own.blocks, ACCESS_WRITE));
static COMPACT_KERNELS(
    struct chag_push, "chag scan", chag_scan, PORT(struct chag_push, own.blocks, ACCESS_READ_WRITE),
    PORT(struct compact_push, counter, ACCESS_WRITE));
static COMPACT_KERNELS(
    struct chag_push, "chag compact", chag_compact, STREAM_PORTS,
    PORT(struct chag_push, own.blocks, ACCESS_READ),
    PORT(struct compact_push, counter, ACCESS_READ), PORT(struct compact_push, list, ACCESS_WRITE));

static COMPACT_KERNELS(
    struct chag_push, "chag ballot count", chag_ballot_count, STREAM_PORTS,
    PORT(struct chag_push, own.masks, ACCESS_WRITE),
    PORT(struct chag_push, own.blocks, ACCESS_WRITE));
static COMPACT_KERNELS(
    struct chag_push, "chag ballot compact", chag_ballot_compact,
    PORT(struct compact_push, source, ACCESS_READ),
    PORT(struct compact_push, source_counter, ACCESS_READ),
    PORT(struct chag_push, own.masks, ACCESS_READ), PORT(struct chag_push, own.blocks, ACCESS_READ),
    PORT(struct compact_push, counter, ACCESS_READ), PORT(struct compact_push, list, ACCESS_WRITE));

static struct compaction_scratch
chag_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)size;
    (void)stream;
    (void)block;
    return (struct compaction_scratch){ .blocks = RANGES };
}

// A bit per element.
static struct compaction_scratch
chag_ballot_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)block;
    return (struct compaction_scratch){
        .masks = stream == STREAM_CELLS ? size->lanes : ((uint64_t)size->lanes + 31) / 32,
        .blocks = RANGES,
    };
}

static void
chag_record(const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    const struct chag_push push = {
        compaction_push(compaction, what),
        { .masks = compaction->masks.address, .blocks = compaction->blocks.address },
    };
    compaction_record_passes(compaction, run, what, &push);
}

const struct method method_chag = {
    .name = "chag",
    .summary =
        "order kept: each workgroup reads its range of the stream twice, to count and to copy",
    .paper = "Billeter et al. 2009, Efficient Stream Compaction on Wide SIMD Many-Core",
    .order = ORDER_STREAM,
    .cost = { .reads = 2, .kept = 4, .dispatches = 3 },
    .passes = { { chag_count, PASS_RANGES },
                { chag_scan, PASS_ONE_GROUP },
                { chag_compact, PASS_RANGES } },
    .scratch = chag_scratch,
    .record = chag_record,
};

const struct method method_chag_ballot = {
    .name = "chag-ballot",
    .summary =
        "as chag, but the first pass stores a bit per element, and the second reads these bits",
    .paper = "Billeter et al. 2009; masks as in Hughes et al. 2013",
    .order = ORDER_STREAM,
    .cost = { .reads = 1, .lane = 8, .kept = 8, .dispatches = 3 },
    .passes = { { chag_ballot_count, PASS_RANGES },
                { chag_scan, PASS_ONE_GROUP },
                { chag_ballot_compact, PASS_RANGES } },
    .scratch = chag_ballot_scratch,
    .record = chag_record,
};
