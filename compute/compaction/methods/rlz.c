// Run-length compression of zeros: see shaders/compact/rlz.comp.

#include "compute/compaction/methods/blocks.h"

const struct method method_rlz = {
    .name = "rlz",
    .summary = "in each block, an output finds its element by the summed lengths of the gaps",
    .paper = "Moreira et al. 2009, New Algorithms for GPU Stream Compaction, 3.3",
    .notes = { BLOCKS_NOTES, "The sum pRLSum is computed from the next valid element and the "
                             "number of valid ones before. The paper's algorithms 2 to 4 and its "
                             "filter stage are left to the forms rlz:doubling and rlz:tree." },
    .order = ORDER_STREAM,
    .blocks = true,
    .shared = BLOCKS_SHARED,
    .cost = { .reads = 2, .kept = 8, .dispatches = 3 },
    .passes = BLOCKS_PASSES("rlz", rlz),
    .scratch = blocks_scratch,
    .record = blocks_record,
    .check = blocks_check,
    .constants = blocks_constants,
};

const struct method method_rlz_doubling = {
    .name = "rlz:doubling",
    .summary = "as rlz; recursive doubling and a filter find the gaps, as in the paper",
    .paper = "Moreira et al. 2009, New Algorithms for GPU Stream Compaction, 3.3.1, algorithm 2",
    .notes = { BLOCKS_NOTES },
    .order = ORDER_STREAM,
    .blocks = true,
    .shared = BLOCKS_SHARED,
    .form = FORM_DOUBLING,
    .passes = BLOCKS_PASSES("rlz", rlz),
    .scratch = blocks_scratch,
    .record = blocks_record,
    .check = blocks_check,
    .constants = blocks_constants,
};

const struct method method_rlz_tree = {
    .name = "rlz:tree",
    .summary = "as rlz; a balanced tree and a filter find the gaps, as in the paper",
    .paper =
        "Moreira et al. 2009, New Algorithms for GPU Stream Compaction, 3.3.1, algorithms 3 and 4",
    .notes = { BLOCKS_NOTES },
    .order = ORDER_STREAM,
    .blocks = true,
    .shared = BLOCKS_SHARED + BLOCK_SPAN * (uint32_t)sizeof(uint32_t),
    .form = FORM_TREE,
    .passes = BLOCKS_PASSES("rlz", rlz),
    .scratch = blocks_scratch,
    .record = blocks_record,
    .check = blocks_check,
    .constants = blocks_constants,
};
