#include "app/base/timings.h"

#include <math.h>
#include <stdlib.h>

static int timings_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The sample at a share (0 to 1) of the sorted samples, by nearest rank.
static double timings_rank(const double *samples, uint32_t count, double share)
{
    const uint32_t rank = (uint32_t)ceil(share * count);
    return samples[rank > 0 ? rank - 1 : 0];
}

double timings_deviation(double sum, double squares, uint32_t count)
{
    const double mean = sum / count;
    const double variance = count > 1 ? (squares - count * mean * mean) / (count - 1) : 0;
    return sqrt(variance > 0 ? variance : 0);
}

struct timings timings_of(double *samples, uint32_t count)
{
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += samples[i];
        squares += samples[i] * samples[i];
    }
    qsort(samples, count, sizeof *samples, timings_by_value);
    return (struct timings){
        .median_ms = (samples[(count - 1) / 2] + samples[count / 2]) / 2,
        .min_ms = samples[0],
        .max_ms = samples[count - 1],
        .q1_ms = timings_rank(samples, count, 0.25),
        .q3_ms = timings_rank(samples, count, 0.75),
        .p95_ms = timings_rank(samples, count, 0.95),
        .mean_ms = sum / count,
        .sd_ms = timings_deviation(sum, squares, count),
    };
}
