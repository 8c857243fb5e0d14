// Which share of a subgroup's lanes works on a ray that has not ended, by the size of subgroups:
// from the turns of each ray's loops. A subgroup loops until the last of its rays has ended.
#pragma once

#include "app/bench/bench_frames.h"

// Makes the ways count turns. Only single kernels do: the others become gaps of the table.
bool lanes_prepare(
    struct ways *ways, const struct experiment *experiment, struct bench_table *table,
    struct problem *problem);

// Adds for each way and size of subgroups, 4 to 128, a row with the share, over so many views.
// `shared`: what the rows of a volume share.
bool lanes_measure(
    struct frames *frames, const struct ways *ways, uint32_t views, const struct view *view,
    const struct bench_row *shared, struct bench_table *table, struct problem *problem);
