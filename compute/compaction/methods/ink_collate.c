// InK-Collate: see shaders/compact/ink_collate.comp.

#include "compute/compaction/compaction.h"

const struct method method_ink_collate = {
    .name = "ink-collate",
    .summary = "in the kernel that tests the elements: blocks in any order, one atomic per block",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 2.4",
    .notes = { "A lane tests several elements, so there are fewer blocks and fewer atomics.",
               "Warp offsets are subgroup sums, not a ballot per bit (eq. 3 and 4). Cells: 32 a "
               "lane, so thread offsets are subgroup sums, too.",
               "On a CPU device the block of a stream of cells is a subgroup, with an atomic of "
               "its own.",
               ONCE_NOTES },
    .order = ORDER_WITHIN_BLOCKS,
    .writes_arguments = true,
    .once = true,
    .cost = { .reads = 1, .kept = 4, .dispatches = 1 },
    .passes = { { "ink-collate", ONCE_SHADERS(ink_collate), PASS_ITEMS } },
};
