// What is known of a volume before any surface is made: range, histogram, a first isovalue.
#pragma once

#include "volumes/suggestion.h"

#define VOLUME_BINS 256

// The struct takes half a MiB.
struct volume_facts {
    double min, max;     // over finite samples; both 0 where there are none
    uint64_t not_finite; // samples that are NaN or infinite
    // Of finite samples: bin b covers [min + b s, min + (b + 1) s), s = (max - min) / 256. The last
    // bin also holds max. All samples of a constant volume are in bin 0.
    uint64_t histogram[VOLUME_BINS];
    // A good first isovalue. It separates the samples wherever they differ (min < iso <= max). It
    // never equals a sample of an integer type. For a constant volume it is the value itself.
    double iso;
    // Why, for people and JSON: "constant", "labels: between 0 and 1", "padding at -3024 left out;
    // CT: bone at 250 HU", "otsu", ... (see suggestion.c).
    char iso_rule[120];
    bool hounsfield;      // by their counts the samples are in Hounsfield units
    struct values values; // the counts from which percentiles follow
};

// Reads all samples, once or twice.
void volume_facts(const struct volume *volume, struct volume_facts *out);

// Finds the same facts from samples that come in chunks of whole rows, in order:
//
//     facts_begin(&counts, volume);
//     do {
//         each chunk: facts_put(&counts, samples, n);
//     } while (facts_again(&counts));
//     facts_end(&counts, &facts);
//
// Several processes may share the work: each puts its own rows of one volume. Before facts_again
// and before facts_end, each process gets the counts of all processes by facts_tables and
// facts_join. The facts are then bit for bit those that one process finds in all samples.

// What is known of the samples, beside the tables in facts_counts. Zeroed: there are no samples.
// For 8 and 16 bits the range follows from `seen`.
struct facts_range {
    uint64_t not_finite, finite;
    uint64_t lowest, highest; // how many samples have the lowest and the greatest value
    double min, max;          // of the finite samples; both 0 where there are none
    double next;              // the second lowest value; INFINITY if there is only one value
    bool fractions;           // some sample is not a whole number
    // Counted in the only pass, or in the second one where all samples are whole numbers.
    struct suggestion_pairs pairs;
};

struct facts_counts {
    enum volume_type type;
    uint32_t width; // samples in a row
    bool labels;    // the file says that samples are labels
    bool density;   // as in struct volume
    bool second;
    struct facts_range range;
    struct suggestion_limits limits;
    double scale, fine_scale; // bins per unit
    // The histogram of all samples, then the finer one of values.h. Counted in the second pass.
    uint64_t bins[VOLUME_BINS + VALUES_FINE];
    uint64_t seen[VALUES_BINS]; // how often each value occurs, or each values_bin for wide types
};

// Only the members of `volume` beside the samples are read.
void facts_begin(struct facts_counts *counts, const struct volume *volume);
void facts_put(struct facts_counts *counts, const void *samples, uint64_t count);

// The numbers of this pass that each process must replace by their sums over all processes. Returns
// how many there are at *values.
size_t facts_tables(struct facts_counts *counts, int64_t **values);

// Replaces counts->range by the range over all processes. `ranges` has one range per process, in
// the order of their samples. Called after each pass.
void facts_join(struct facts_counts *counts, const struct facts_range *ranges, size_t count);

// Whether all samples must be put a second time. Two passes are always enough.
bool facts_again(struct facts_counts *counts);

void facts_end(struct facts_counts *counts, struct volume_facts *out);
