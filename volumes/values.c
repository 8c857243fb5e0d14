#include "volumes/values.h"

#include <math.h>
#include <string.h>

bool values_are_exact(enum volume_type type)
{
    return volume_type_size(type) <= 2;
}

int values_entries(const struct values *values)
{
    return !values_are_exact(values->type)       ? VALUES_ENTRIES
           : volume_type_size(values->type) == 1 ? 256
                                                 : 65536;
}

void values_fill(struct values *values, const uint64_t *counts)
{
    memset(values->seen, 0, sizeof values->seen);
    if (values_are_exact(values->type)) {
        memcpy(values->seen, counts, (size_t)values_entries(values) * sizeof *counts);
        return;
    }
    memcpy(values->seen + 1, counts, VALUES_BINS * sizeof *counts);
    // These bins hold only infinities and NaNs, which do not count.
    memset(values->seen + 1, 0, 128 * sizeof *counts);
    memset(values->seen + 1 + VALUES_BINS - 128, 0, 128 * sizeof *counts);
    if (values->count > 0) {
        values->seen[0] = values->of_min;
        values->seen[1 + values_bin((float)values->min)] -= values->of_min;
    }
    if (values->max > values->min) {
        values->seen[VALUES_ENTRIES - 1] = values->of_max;
        values->seen[1 + values_bin((float)values->max)] -= values->of_max;
    }
}

// The float at `place` in the ascending order of all floats.
static double values_in_order(uint32_t place)
{
    const uint32_t bits = place & 0x80000000 ? place ^ 0x80000000 : ~place;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

// `last`: 0 for the bottom of the entry, 0xffff for its top.
static double values_edge(const struct values *values, int entry, uint32_t last)
{
    if (values_are_exact(values->type)) {
        return entry + volume_limits[values->type].least;
    }
    if (entry == 0 || entry == VALUES_ENTRIES - 1) {
        return entry == 0 ? values->min : values->max;
    }
    const double edge = values_in_order((uint32_t)(entry - 1) << 16 | last);
    return fmin(fmax(edge, values->next), values->max);
}

double values_bottom(const struct values *values, int entry)
{
    return values_edge(values, entry, 0);
}

double values_top(const struct values *values, int entry)
{
    return values_edge(values, entry, 0xffff);
}

double values_short(const struct values *values, int entry)
{
    // The edge nearer to zero: the lower 16 bits of its float are zeros.
    return values_edge(values, entry, entry <= VALUES_BINS / 2 ? 0xffff : 0);
}

// The fine bin that holds the sample with this rank (1: the lowest), or 0 if that is the first or
// the last bin.
static int values_fine_of_rank(const struct values *values, uint64_t rank)
{
    uint64_t below = values->below;
    for (int b = 0; b < VALUES_FINE - 1; b++) {
        below += values->fine[b];
        if (below >= rank) {
            return b;
        }
    }
    return 0;
}

double values_percentile(const struct values *values, double percent)
{
    const double share = ceil(percent * (double)values->count / 100);
    const uint64_t rank = share <= 1                       ? 1
                          : share >= (double)values->count ? values->count
                                                           : (uint64_t)share;
    uint64_t below = 0;
    int entry = 0;
    if (values->count == 0) {
        return 0;
    }
    while (entry < values_entries(values) - 1 && below + values->seen[entry] < rank) {
        below += values->seen[entry++];
    }
    const double bottom = values_bottom(values, entry), top = values_top(values, entry);
    const double width = (values->high - values->low) / VALUES_FINE;
    const int fine = top - bottom > width ? values_fine_of_rank(values, rank) : 0;
    const double value =
        fine > 0 ? values->low + (fine + 0.5) * width : values_short(values, entry);
    const double near = values->type == VOLUME_FLOAT32 ? value : rint(value);
    return fmin(fmax(near, values->min), values->max) + 0.0;
}

void values_mean(const struct values *values, double *mean, double *deviation)
{
    double sum = 0, squares = 0;
    const int entries = values_entries(values);
    for (int i = 0; values->count > 0 && i < entries; i++) {
        const double middle = values_bottom(values, i) / 2 + values_top(values, i) / 2;
        sum += values->seen[i] > 0 ? (double)values->seen[i] / (double)values->count * middle : 0;
    }
    for (int i = 0; values->count > 0 && i < entries; i++) {
        const double off = values_bottom(values, i) / 2 + values_top(values, i) / 2 - sum;
        squares +=
            values->seen[i] > 0 ? (double)values->seen[i] / (double)values->count * off * off : 0;
    }
    *mean = sum;
    *deviation = sqrt(squares);
}
