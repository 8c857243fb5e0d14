// Jumping Jack: see shaders/compact/jumping_jack.comp.

#include "compute/compaction/methods/blocks.h"

const struct method method_jumping_jack = {
    .name = "jumping-jack",
    .summary =
        "in each block, elements from behind fill the gaps in front; jumps over gaps find them",
    .paper = "Moreira et al. 2009, A Parallel Algorithm for Non-Monotonic Stream Compaction",
    .notes = { BLOCKS_NOTES, "The whole stream cannot be one block: a table in shared memory has "
                             "room for 2048 elements." },
    .order = ORDER_FIXED,
    .blocks = true,
    .shared = BLOCKS_SHARED,
    .cost = { .reads = 2, .kept = 8, .dispatches = 3 },
    .passes = BLOCKS_PASSES("jumping jack", jumping_jack),
    .scratch = blocks_scratch,
    .record = blocks_record,
    .check = blocks_check,
    .constants = blocks_constants,
};
