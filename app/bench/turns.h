// The loop of the benches. In each round all contestants run once, so disturbances of the machine
// affect all alike. Round 0 is not counted: in it buffers grow and kernels are made.
#pragma once

#include "app/base/timings.h"
#include "volumes/base/problem.h"

#include <stdbool.h>

// Times of `count` contestants, each in several series: by the host's clock, by the device, of
// stages. Zero-initialised means empty.
struct turns {
    uint32_t count, series, repeat;
    double *ms; // [series][count][repeat]
};

// PROBLEM_HOST_MEMORY. On false `out` is empty.
bool turns_create(
    uint32_t count, uint32_t series, uint32_t repeat, struct turns *out, struct problem *problem);
void turns_destroy(struct turns *turns);

// Runs contestant `i` once, and stores its times with turns_put.
typedef bool turn(void *user, uint32_t i, uint32_t round, struct problem *problem);

// Calls `run` for contestants 0 to count - 1, in rounds 0 to `repeat`. Ends if a call returns
// false, or when the user interrupts.
bool turns_run(uint32_t count, uint32_t repeat, turn *run, void *user, struct problem *problem);

// Stores the time of a round, but ignores round 0 and rounds after `repeat`.
void turns_put(struct turns *turns, uint32_t i, uint32_t series, uint32_t round, double ms);

// The times of a contestant; those of the next contestant follow them. timings_of may sort them.
double *turns_of(const struct turns *turns, uint32_t i, uint32_t series);
struct timings turns_timings(const struct turns *turns, uint32_t i, uint32_t series);
