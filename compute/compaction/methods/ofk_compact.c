// Out-of-kernel compaction, which Hughes et al. compare with. See shaders/compact/ofk_count.comp,
// ofk_scan.comp and ofk_compact.comp.

#include "compute/compaction/compaction.h"

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
    .summary = "in three kernels, order kept: counts each block, scans the counts, compacts",
    .paper = "Hughes et al. 2013, the out-of-kernel form it compares with",
    .order = ORDER_STREAM,
    .cost = { .reads = 1, .lane = 8, .kept = 8, .dispatches = 3 },
    .passes = { { "ofk count", STREAM_SHADERS(ofk_count), PASS_LANES },
                { "ofk scan", STREAM_SHADERS(ofk_scan), PASS_ONE_GROUP },
                { "ofk compact", STREAM_SHADERS(ofk_compact), PASS_LANES } },
    .scratch = ofk_scratch,
};
