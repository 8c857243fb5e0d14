// The loop of the benches: what is compared takes turns, round by round, so that disturbances of
// the machine affect all alike. The first round is not counted: buffers grow and kernels are made.
#pragma once

#include "app/base/timings.h"
#include "volumes/base/problem.h"

#include <stdbool.h>

// Times of so many contestants, each in several series: the host's clock, the device, stages.
// Zero-initialised means empty.
struct turns {
    uint32_t count, series, repeat;
    double *ms; // [series][count][repeat]
};

// PROBLEM_HOST_MEMORY. On false `out` is empty.
bool turns_create(
    uint32_t count, uint32_t series, uint32_t repeat, struct turns *out, struct problem *problem);
void turns_destroy(struct turns *turns);

// Runs contestant `i` once, and puts its times by turns_put.
typedef bool turn(void *user, uint32_t i, uint32_t round, struct problem *problem);

// Calls `run` for contestants 0 to count - 1, in rounds 0 to `repeat`. Ends where one is false, or
// when the user stops it.
bool turns_run(uint32_t count, uint32_t repeat, turn *run, void *user, struct problem *problem);

// Keeps the time of a round; not of round 0, nor of one beyond the last.
void turns_put(struct turns *turns, uint32_t i, uint32_t series, uint32_t round, double ms);

// The times of a contestant, and behind them those of the next. timings_of may sort them.
double *turns_of(const struct turns *turns, uint32_t i, uint32_t series);
struct timings turns_timings(const struct turns *turns, uint32_t i, uint32_t series);
