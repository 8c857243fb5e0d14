// Chag's compaction (Billeter, Olsson and Assarsson 2009): up to RANGES workgroups, each with a
// contiguous range of the stream. There are two forms: the second pass reads the stream again, or
// it reads masks that the first pass has written.

#include "compute/compaction/compaction.h"

static struct compaction_scratch
chag_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)size;
    (void)stream;
    (void)block;
    return (struct compaction_scratch){ .blocks = RANGES };
}

// masks: a bit per element.
static struct compaction_scratch
chag_ballot_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)block;
    return (struct compaction_scratch){
        .masks = stream == STREAM_CELLS ? size->lanes : ((uint64_t)size->lanes + 31) / 32,
        .blocks = RANGES,
    };
}

const struct method method_chag = {
    .name = "chag",
    .summary =
        "order kept: each workgroup reads its range of the stream twice, to count and to copy",
    .paper = "Billeter et al. 2009, Efficient Stream Compaction on Wide SIMD Many-Core",
    .notes = { "A processor is a workgroup of 256 lanes, not a warp, and there are at most 1024.",
               "The output is not collected in shared memory: a subgroup stores its elements in "
               "neighbouring words at once." },
    .order = ORDER_STREAM,
    .cost = { .reads = 2, .kept = 4, .dispatches = 3 },
    .passes = { { "chag count", STREAM_SHADERS(chag_count), PASS_RANGES },
                { "chag scan", STREAM_SHADERS(chag_scan), PASS_ONE_GROUP },
                { "chag compact", STREAM_SHADERS(chag_compact), PASS_RANGES } },
    .scratch = chag_scratch,
};

const struct method method_chag_ballot = {
    .name = "chag-ballot",
    .summary =
        "as chag, but the first pass stores a bit per element, and the second reads these bits",
    .paper =
        "Billeter et al. 2009, who did not finish this variant; masks as in Hughes et al. 2013",
    .notes = { "As chag: a processor is a workgroup, and the output is not collected in shared "
               "memory." },
    .order = ORDER_STREAM,
    .cost = { .reads = 1, .lane = 8, .kept = 8, .dispatches = 3 },
    .passes = { { "chag ballot count", STREAM_SHADERS(chag_ballot_count), PASS_RANGES },
                { "chag scan", STREAM_SHADERS(chag_scan), PASS_ONE_GROUP },
                { "chag ballot compact", STREAM_SHADERS(chag_ballot_compact), PASS_RANGES } },
    .scratch = chag_ballot_scratch,
};
