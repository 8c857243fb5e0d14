// Out-of-kernel compaction in three kernels: see shaders/compact/ofk_count.comp, ofk_scan.comp and
// ofk_compact.comp. cuStreamComp has this form, which Bontes & Gain 2024 time under the name InK.
// The OfK-Compact of Hughes et al. 2013 is another one: ink-compact, called in a kernel of its own.

#include "compute/compaction/compaction.h"

// masks: one per lane. blocks: one count per workgroup.
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
    .summary = "in three kernels, order kept: counts each block, scans the counts, compacts",
    .paper = "cuStreamComp, which Bontes and Gain 2024 compare with; not the OfK-Compact of 2013",
    .order = ORDER_STREAM,
    .cost = { .reads = 1, .lane = 8, .kept = 8, .dispatches = 3 },
    .passes = { { "ofk count", STREAM_SHADERS(ofk_count), PASS_LANES },
                { "ofk scan", STREAM_SHADERS(ofk_scan), PASS_ONE_GROUP },
                { "ofk compact", STREAM_SHADERS(ofk_compact), PASS_LANES } },
    .scratch = ofk_scratch,
};
