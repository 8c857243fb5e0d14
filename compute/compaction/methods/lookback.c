// Single-pass compaction with decoupled look-back: see shaders/compact/lookback.comp.

#include "compute/compaction/compaction.h"

#include "shaders/shared/lookback.h"

struct lookback_push {
    struct compact_push stream;
    struct lookback_own own;
};

// The word of a tile has 30 bits for a count.
#define LOOKBACK_LARGEST ((1u << 30) - 1)

// Lanes of the stream per workgroup. If only the device knows the stream's length, its dispatch
// arguments are shared with other methods: one lane per lane of the stream.
static uint32_t lookback_tile_lanes(const struct compaction *compaction, enum stream stream)
{
    return stream == STREAM_CELLS ? GROUP : GROUP * compaction->each[stream];
}

static uint64_t lookback_tiles(uint64_t lanes, uint32_t tile)
{
    return (lanes + tile - 1) / tile;
}

static struct compaction_scratch
lookback_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)stream;
    (void)block;
    return (struct compaction_scratch){ .blocks =
                                            LOOKBACK_TILES + lookback_tiles(size->lanes, GROUP) };
}

static void lookback_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    const struct lookback_push push = {
        compaction_push(compaction, what),
        { .patience = compaction->gpu->traits->patience, .drop = what->drop },
    };
    const uint32_t tile = lookback_tile_lanes(compaction, what->stream);
    const uint64_t words = LOOKBACK_TILES + lookback_tiles(push.stream.lanes, tile);
    run_fill(run, &compaction->blocks, 0, words * sizeof(uint32_t), 0);
    if (what->lane_arguments) {
        compaction_dispatch_lanes(compaction, run, what, 0, &push);
        return;
    }
    struct kernel *kernel = compaction_kernel(compaction, what, 0);
    uint32_t groups[2];
    run_fold(push.stream.lanes, tile, groups);
    run_dispatch(run, kernel, what->table, &push, groups[0], groups[1], 1);
    compaction_stamp(run, what, kernel->name);
}

const struct method method_lookback = {
    .name = "lookback",
    .summary = "one pass, order kept: a tile adds the counts of earlier tiles, and counts a late "
               "tile itself",
    .paper = "Merrill and Garland 2016; Smith, Levien and Owens 2025, Decoupled Fallback",
    .notes = { "A tile that has looked back more than once also publishes the prefix of the tile "
               "before it.",
               "State and sum share a word, so at most 2^30 - 1 elements are taken." },
    .order = ORDER_STREAM,
    .waits = true,
    .has_events = true,
    .largest = LOOKBACK_LARGEST,
    .cost = { .reads = 1, .lane = 0.1, .kept = 4, .dispatches = 2 },
    .passes = { { "lookback", STREAM_SHADERS(lookback), PASS_LANES } },
    .scratch = lookback_scratch,
    .record = lookback_record,
};
