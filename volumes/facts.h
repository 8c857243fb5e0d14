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
struct facts_counts {
    enum volume_type type;
    bool second;
    uint64_t finite, lowest;    // how many samples are finite, and how many of them are the lowest
    double next;                // the lowest but one value; INFINITY where there is none
    double scale;               // bins per unit
    uint64_t rest[VOLUME_BINS]; // the histogram of [next, max], of all samples but the lowest,
    double rest_scale;          // with its bins per unit; 0: it is not needed
    struct volume_facts facts;
    uint64_t seen[65536]; // 8 and 16 bits: how often each value occurs
};

void facts_begin(struct facts_counts *counts, enum volume_type type);
void facts_put(struct facts_counts *counts, const void *samples, uint64_t count);

// Whether all samples must come once more. Two passes are always enough.
bool facts_again(struct facts_counts *counts);

void facts_end(struct facts_counts *counts, struct volume_facts *out);
