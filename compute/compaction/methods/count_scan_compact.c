// Compaction in three kernels: see shaders/compact/csc_count.comp, csc_scan.comp and
// csc_compact.comp. cuStreamComp has this form, which Bontes & Gain 2024 time under the name InK.
// Billeter et al. 2009 have the same passes over fewer, longer ranges (chag.c).

#include "compute/compaction/compaction.h"

// blocks: one count per workgroup.
static struct compaction_scratch
csc_mark_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)stream;
    (void)block;
    return (struct compaction_scratch){ .blocks = ((uint64_t)size->lanes + GROUP - 1) / GROUP };
}

// masks: one per lane.
static struct compaction_scratch
csc_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    struct compaction_scratch scratch = csc_mark_scratch(size, stream, block);
    scratch.masks = size->lanes;
    return scratch;
}

#define CSC_PAPER                                                                                  \
    "cuStreamComp (Spataro), which Bontes and Gain 2024 compare with under the name InK"

const struct method method_count_scan_compact = {
    .name = "count-scan-compact",
    .summary = "in three kernels, order kept: counts each block, scans the counts, compacts",
    .paper = CSC_PAPER,
    .notes = { "The second reading is of masks that the first has written. The paper's InK reads "
               "the list twice, and its blocks can be counted while the removed elements are "
               "marked (5.1): both are left to the form count-scan-compact:mark." },
    .order = ORDER_STREAM,
    .cost = { .reads = 1, .lane = 8, .kept = 8, .dispatches = 3 },
    .passes = { { "csc count", STREAM_SHADERS(csc_count), PASS_LANES },
                { "csc scan", STREAM_SHADERS(csc_scan), PASS_ONE_GROUP },
                { "csc compact", STREAM_SHADERS(csc_compact), PASS_LANES } },
    .scratch = csc_scratch,
};

const struct method method_count_scan_compact_mark = {
    .name = "count-scan-compact:mark",
    .summary = "as count-scan-compact, but it reads the stream twice; once if the blocks were "
               "counted while removed elements were marked",
    .paper = CSC_PAPER ", 5.1",
    .order = ORDER_STREAM,
    .form = FORM_MARK,
    .passes = { { "csc count", STREAM_SHADERS(csc_count), PASS_LANES },
                { "csc scan", STREAM_SHADERS(csc_scan), PASS_ONE_GROUP },
                { "csc compact", STREAM_SHADERS(csc_compact), PASS_LANES } },
    .scratch = csc_mark_scratch,
};
