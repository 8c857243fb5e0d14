// Run-length compression of zeros: see shaders/compact/rlz.comp.

#include "compute/compaction/methods/blocks.h"

const struct method method_rlz = {
    .name = "rlz",
    .summary = "in each block, an output finds its element by the summed lengths of the gaps",
    .paper = "Moreira et al. 2009, New Algorithms for GPU Stream Compaction, 3.3",
    .notes = { BLOCKS_NOTES,
               "The sum pRLSum is computed from the next valid element and the number of valid "
               "ones before. Algorithms 2 to 4 and the filter stage are left out, so the stage "
               "\"prefix sum\" of bench has not the passes that figure 7 times." },
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
