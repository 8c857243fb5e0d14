// Other ways to find the surface in a cell than the casters have (shaders/lib/cubic.glsl): what
// they save, and what they lose.
#pragma once

#include "app/bench/bench_frames.h"

// Adds each caster with each of its other tests: see way.test. Casters that have no other
// test become gaps of the table.
bool tests_prepare(
    struct ways *ways, const struct experiment *experiment, struct bench_table *table,
    struct problem *problem);

// Counts the pixels of the last frame that have a hit where the frame that was kept has none, or
// none where it has one; and those whose hit is more than half a cell away. Both are those of the
// last frames_compare.
void tests_count(const struct frames *frames, uint64_t *lost, uint64_t *misplaced);
