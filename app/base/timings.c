#include "app/base/timings.h"

#include <math.h>
#include <stdlib.h>

static int timings_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct timings timings_of(double *samples, uint32_t count)
{
    qsort(samples, count, sizeof *samples, timings_by_value);
    const uint32_t rank = (uint32_t)ceil(0.95 * count);
    return (struct timings){
        .median_ms = (samples[(count - 1) / 2] + samples[count / 2]) / 2,
        .min_ms = samples[0],
        .p95_ms = samples[rank > 0 ? rank - 1 : 0],
    };
}
