// InK-Collate: see shaders/compact/ink_collate.comp.

#include "compute/compaction/compaction.h"

#define COLLATE_NOTES                                                                              \
    "A lane tests several elements, so there are fewer blocks and fewer atomics.",                 \
        "On a CPU device the block of a stream of cells is a subgroup, with an atomic of its "     \
        "own."

const struct method method_ink_collate = {
    .name = "ink-collate",
    .summary = "in the kernel that tests the elements: blocks in any order, one atomic per block",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 2.4",
    .notes = { COLLATE_NOTES,
               "Warp offsets are subgroup sums, and for cells thread offsets, too. A ballot per "
               "bit (eq. 3 and 4) is left to the form ink-collate:ballots." },
    .order = ORDER_WITHIN_BLOCKS,
    .writes_arguments = true,
    .once = true,
    .cost = { .reads = 1, .kept = 4, .dispatches = 1 },
    .passes = { { "ink-collate", ONCE_SHADERS(ink_collate), PASS_ITEMS } },
};

const struct method method_ink_collate_ballots = {
    .name = "ink-collate:ballots",
    .summary = "as ink-collate; offsets of lanes and subgroups come from a ballot per bit",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 2.2, eq. 3 and 4",
    .notes = { COLLATE_NOTES },
    .order = ORDER_WITHIN_BLOCKS,
    .writes_arguments = true,
    .once = true,
    .form = FORM_BALLOTS,
    .passes = { { "ink-collate", ONCE_SHADERS(ink_collate), PASS_ITEMS } },
};
