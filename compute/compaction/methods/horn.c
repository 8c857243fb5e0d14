// Horn's gather search: see shaders/compact/horn.comp.

#include "compute/compaction/methods/blocks.h"

const struct method method_horn = {
    .name = "horn",
    .summary = "in each block, an output finds its element by a binary search in the prefix sum",
    .paper = "Horn 2005, GPU Gems 2, chapter 36",
    .notes = { BLOCKS_NOTES, "The search is for the first d with pSum[c + d] <= d. It needs no "
                             "data, so it never steps back over invalid elements." },
    .order = ORDER_STREAM,
    .blocks = true,
    .shared = BLOCKS_SHARED,
    .cost = { .reads = 2, .kept = 8, .dispatches = 3 },
    .passes = BLOCKS_PASSES("horn", horn),
    .scratch = blocks_scratch,
    .record = blocks_record,
    .check = blocks_check,
    .constants = blocks_constants,
};
