// Statistics of measured times.
#pragma once

#include <stdint.h>

struct timings {
    double median_ms, min_ms;
    double q1_ms, q3_ms, p95_ms; // the nearest ranks to 25, 75 and 95 %
};

// Sorts the samples, of which there is at least one.
struct timings timings_of(double *samples_ms, uint32_t count);
