// Statistics of measured times.
#pragma once

#include <stdint.h>

struct timings {
    double median_ms, min_ms, max_ms;
    double q1_ms, q3_ms, p95_ms; // percentiles 25, 75 and 95, by nearest rank
    double mean_ms, sd_ms;       // the standard deviation of one sample is 0
};

// Sorts the samples. `count` is 1 or more.
struct timings timings_of(double *samples_ms, uint32_t count);

// The standard deviation of `count` samples, from their sum and the sum of their squares.
double timings_deviation(double sum, double squares, uint32_t count);
