// Measures for several subgroup sizes which share of the lanes has a ray that has not ended. It
// follows from the loop iterations of rays: a subgroup loops until its last ray ends.
#pragma once

#include "app/bench/bench_frames.h"

// Makes the ways count loop iterations. Only single kernels can: others become gaps of the table.
bool lanes_prepare(
    struct ways *ways, const struct experiment *experiment, struct bench_table *table,
    struct problem *problem);

// Adds a row with the share for each way and size of subgroups, 4 to 128, over the first `views`
// views. `shared` has the values that all rows of a volume share.
bool lanes_measure(
    struct frames *frames, const struct ways *ways, uint32_t views, const struct view *view,
    const struct bench_row *shared, struct bench_table *table, struct problem *problem);
