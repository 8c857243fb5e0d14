// Statistics of measured times.
#pragma once

#include <stdint.h>

struct timings {
    double median_ms, min_ms, p95_ms; // p95: the nearest rank
};

// Sorts the samples, of which there is at least one.
struct timings timings_of(double *samples_ms, uint32_t count);
