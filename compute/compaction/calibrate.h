// Measures the times that `auto` selects a method by. It works in short steps: the window takes a
// step when it is idle, `bench calibrate` runs all steps at once.
//
// Each stream of the grid (times.h) is made once. In each of several turns, all methods that can
// run here compact it once; the least time of a method counts. A method that is several times
// slower than the best one is not measured on longer streams of this kind. If no time is left for a
// length, no method is measured on it. Beyond the longest measured length, times are assumed to
// grow in proportion.
#pragma once

#include "compute/compaction/times.h"

struct calibration_params {
    uint32_t sizes; // number of lengths, from the shortest on; 0: all that memory allows
    uint32_t turns; // turns on a short stream, fewer on long ones; 0: 10
    // Approximate total time on an idle machine, without the creation of kernels; 0: 60 s.
    double total_ms;
    double single_ms; // runs that would take longer are left out; 0: no limit
};

// Zero-initialised means not begun.
struct calibration;

// PROBLEM_DEVICE_MEMORY when device memory is short.
bool calibration_create(
    struct gpu *gpu, const struct calibration_params *params, struct calibration **out,
    struct problem *problem);
void calibration_destroy(struct calibration *calibration); // takes NULL

// Takes steps until the calibration is done, or until the next step would likely exceed the budget
// in milliseconds of the host's clock; at least one step. Nothing may be in flight; nothing is in
// flight afterwards. On false the calibration can only be destroyed.
bool calibration_go_on(struct calibration *calibration, double budget_ms, struct problem *problem);

bool calibration_done(const struct calibration *calibration);
// Share of the work that is done, 0 to 1.
double calibration_share(const struct calibration *calibration);

// The times measured so far; complete when the calibration is done.
const struct times *calibration_times(const struct calibration *calibration);

// Fills a stream of words of which about the share `density` is kept. `run` consecutive words are
// kept or dropped together; 1: each word at random.
void calibration_words(
    uint32_t *words, uint32_t count, double density, uint32_t run, uint32_t seed);
