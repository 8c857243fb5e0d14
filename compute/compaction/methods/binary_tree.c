// A binary tree of counts per block: see shaders/compact/binary_tree.comp.

#include "compute/compaction/methods/blocks.h"

static void binary_tree_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    blocks_record_table(compaction, run, what, "reduction");
}

const struct method method_binary_tree = {
    .name = "binary-tree",
    .summary = "in each block, an output finds its element by descending a tree of counts",
    .paper = "Moreira et al. 2009, New Algorithms for GPU Stream Compaction, 3.4",
    .notes = { BLOCKS_NOTES, "The lowest five levels have no nodes: the search counts bits of a "
                             "word. The root is not stored." },
    .order = ORDER_STREAM,
    .blocks = true,
    .shared = BLOCKS_SHARED,
    .cost = { .reads = 2, .kept = 8, .dispatches = 3 },
    .passes = BLOCKS_PASSES("binary tree", binary_tree),
    .scratch = blocks_scratch,
    .record = binary_tree_record,
    .check = blocks_check,
    .constants = blocks_constants,
};
