// How often each value occurs among the samples of a volume. Percentiles follow from it.
//
// 8 and 16 bits: one entry for each value, so all counts are exact. Wider samples: an entry is a
// bin of all floats that begin with the same 16 bits; they differ by less than a hundredth (1/128).
// An integer counts as the nearest float. Only the lowest and the greatest value have their own
// entries. A second table divides the range between two quantiles into equal bins, mostly finer
// ones.
#pragma once

#include "volumes/volume.h"

enum { VALUES_BINS = 65536, VALUES_ENTRIES = VALUES_BINS + 2, VALUES_FINE = 4096 };

struct values {
    enum volume_type type;
    uint64_t count;                // number of finite samples
    double min, next, max;         // next: the second lowest value; INFINITY where there is none
    uint64_t of_min, of_max;       // how many samples have `min` and `max`
    uint64_t seen[VALUES_ENTRIES]; // count of each entry, in ascending order of values
    // Bin b covers [low + b s, low + (b + 1) s), s = (high - low) / VALUES_FINE. The first and the
    // last bin also hold the samples outside of [low, high]. Not counted: `below` samples of the
    // lowest value, and perhaps all samples of the greatest value.
    double low, high;
    uint64_t below;
    uint64_t fine[VALUES_FINE];
};

// Whether each value has an entry of its own: 8 and 16 bits.
bool values_are_exact(enum volume_type type);

// The bin of a float, 0 to VALUES_BINS - 1, not counting the entries of the lowest and greatest
// value. A bin that holds infinities or NaNs holds no finite float.
static inline uint32_t values_bin(float value)
{
    union {
        float value;
        uint32_t bits;
    } as = { value + 0.0f }; // -0 becomes 0
    return (as.bits & 0x80000000 ? ~as.bits : as.bits | 0x80000000) >> 16;
}

// Sets the entries from the counts of all values (8 and 16 bits, signed ones from the lowest on) or
// of all bins. The members above `seen` must be set.
void values_fill(struct values *values, const uint64_t *counts);

// How many entries there are.
int values_entries(const struct values *values);

// The lowest and the greatest value that an entry may hold, and the one with the fewest digits.
double values_bottom(const struct values *values, int entry);
double values_top(const struct values *values, int entry);
double values_short(const struct values *values, int entry);

// The fine bin of a value.
static inline int values_fine_bin(double value, double low, double scale)
{
    const double at = (value - low) * scale;
    return at >= VALUES_FINE - 1 ? VALUES_FINE - 1 : at > 0 ? (int)at : 0;
}

// The least value with at least this share of the finite samples, in percent, at or below it: 0 is
// the lowest sample, 100 the greatest. Exact for 8 and 16 bits. Otherwise off by at most the width
// of a bin: 1/4096 of [low, high], or a hundredth of the value, whichever is less. 0 without
// samples.
double values_percentile(const struct values *values, double percent);

// The mean of the finite samples, and their standard deviation. Exact for 8 and 16 bits; otherwise
// each sample counts as the middle of its entry. Both 0 without samples.
void values_mean(const struct values *values, double *mean, double *deviation);
