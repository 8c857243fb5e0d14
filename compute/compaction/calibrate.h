// Measures the times that `auto` goes by, a few runs at a time: the window does it while nobody
// wants anything of it, `bench calibrate` in one go.
//
// Each stream of the grid is made once and compacted by every method that can run here, in turns;
// the least time counts. A method that is several times slower than the best is left out on longer
// streams of the kind, and lengths for which there is no time left are left out for all: from the
// longest measured one on times grow in proportion.
#pragma once

#include "compute/compaction/times.h"

struct calibration_params {
    uint32_t sizes;   // lengths, from the shortest on; 0: all, as far as memory goes
    uint32_t turns;   // at each short stream, fewer at long ones; 0: 10
    double total_ms;  // about, for all but making the kernels, on a machine with nothing else to
                      // do; 0: 60 s
    double single_ms; // runs that would take longer than this are left out; 0: no limit
};

// Zero-initialised means not begun.
struct calibration;

// PROBLEM_DEVICE_MEMORY where there is no room.
bool calibration_create(
    struct gpu *gpu, const struct calibration_params *params, struct calibration **out,
    struct problem *problem);
void calibration_destroy(struct calibration *calibration); // takes NULL

// Works on until it is done, or until the next step would likely pass the budget in milliseconds
// of the host's clock; one step at least. Nothing may be in flight, and nothing is afterwards. On
// false the calibration can only be destroyed.
bool calibration_go_on(struct calibration *calibration, double budget_ms, struct problem *problem);

bool calibration_done(const struct calibration *calibration);
double calibration_share(const struct calibration *calibration); // of the work, 0 to 1

// What was measured so far; whole when it is done.
const struct times *calibration_times(const struct calibration *calibration);

// A stream of words of which about this share is kept, in runs of `run` that are kept or dropped
// together; 1: at random.
void calibration_words(
    uint32_t *words, uint32_t count, double density, uint32_t run, uint32_t seed);
