// Measures other tests whether a ray meets the surface in a cell (shaders/lib/cubic.glsl): how much
// time they save, and how many hits they lose.
#pragma once

#include "app/bench/bench_frames.h"

// Adds each caster with each of its other tests: see way.test. Casters that have no other
// test become gaps of the table.
bool tests_prepare(
    struct ways *ways, const struct experiment *experiment, struct bench_table *table,
    struct problem *problem);

// Compares the last frame with the stored one, both as frames_compare has read them. *lost: pixels
// with a hit in only one of the two frames. *misplaced: pixels whose two hits are more than half a
// cell apart.
void tests_count(const struct frames *frames, uint64_t *lost, uint64_t *misplaced);
