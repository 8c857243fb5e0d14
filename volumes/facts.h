// What is known of a volume before any surface is made: range, histogram, a first isovalue.
#pragma once

#include "volumes/volume.h"

#define VOLUME_BINS 256

struct volume_facts {
    double min, max;     // over finite samples; both 0 where there are none
    uint64_t not_finite; // samples that are NaN or infinite
    // Of finite samples: bin b covers [min + b s, min + (b + 1) s), s = (max - min) / 256. The last
    // bin also holds max. All samples of a constant volume are in bin 0.
    uint64_t histogram[VOLUME_BINS];
    // A good first isovalue. It separates the samples wherever they differ (min < iso <= max). It
    // never equals a sample of an integer type. For a constant volume it is the value itself.
    double iso;
    // The rule that gave it, for people and JSON: "constant", "otsu", "otsu without padding" (the
    // lowest value lies far from all others, so it does not count), "otsu above zero" (most samples
    // lie about zero, so it is positive).
    const char *iso_rule;
};

// Reads all samples, once or twice.
void volume_facts(const struct volume *volume, struct volume_facts *out);

// The same for samples that come in chunks, in order:
//
//     facts_begin(&counts, type);
//     do {
//         each chunk: facts_put(&counts, samples, n);
//     } while (facts_again(&counts));
//     facts_end(&counts, &facts);
//
// Several processes may share the work: each puts its own samples, of the same type. Before
// facts_again and before facts_end, each gets the counts of all by facts_tables and facts_join. The
// facts are then those of one process that gets all samples, bit for bit.

// What is known of samples after the first pass. Zeroed: there were none. Only of 32 bits and
// floats; the range of 8 and 16 bits follows from `seen`.
struct facts_range {
    uint64_t not_finite, finite;
    uint64_t lowest; // how many samples are the lowest one
    double min, max; // of the finite ones; both 0 where there are none
    double next;     // the lowest but one value; INFINITY where all are the same
};

struct facts_counts {
    enum volume_type type;
    bool second;
    struct facts_range range;
    double scale, rest_scale; // bins per unit of the histograms; rest_scale 0: not needed
    // The histograms of all samples, and of all but the lowest, [range.next, range.max].
    uint64_t bins[2][VOLUME_BINS];
    uint64_t seen[65536]; // 8 and 16 bits: how often each value occurs
};

void facts_begin(struct facts_counts *counts, enum volume_type type);
void facts_put(struct facts_counts *counts, const void *samples, uint64_t count);

// The numbers of this pass that each process must replace by their sums over all processes. Returns
// how many there are at *values, perhaps none.
size_t facts_tables(struct facts_counts *counts, int64_t **values);

// Replaces counts->range by that of all processes: `ranges` are theirs, in the order of their
// samples. May be called after each pass.
void facts_join(struct facts_counts *counts, const struct facts_range *ranges, size_t count);

// Whether all samples must come once more. Two passes are always enough.
bool facts_again(struct facts_counts *counts);

void facts_end(struct facts_counts *counts, struct volume_facts *out);
