// InK-Collate: see shaders/compact/ink_collate.comp.

#include "compute/compaction/compaction.h"

const struct method method_ink_collate = {
    .name = "ink-collate",
    .summary = "in the kernel that tests the elements: blocks in any order, one atomic per block",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 2.4",
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
    .order = ORDER_WITHIN_BLOCKS,
    .writes_arguments = true,
    .once = true,
    .form = FORM_BALLOTS,
    .passes = { { "ink-collate", ONCE_SHADERS(ink_collate), PASS_ITEMS } },
};
