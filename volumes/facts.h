// What can be said of a volume before any surface: range, histogram, a first isovalue.
#pragma once

#include "volumes/volume.h"

#define VOLUME_BINS 256

struct volume_facts {
    double min, max;     // over finite samples; both 0 where there is none
    uint64_t not_finite; // samples that are NaN or infinite
    // Of finite samples: bin b covers [min + b s, min + (b + 1) s), s = (max - min) / 256; the last
    // one also max. All of a constant volume is in bin 0.
    uint64_t histogram[VOLUME_BINS];
    // A good first isovalue: parts the samples wherever they differ (min < iso <= max); never on a
    // sample of an integer type; the value itself for a constant volume.
    double iso;
    const char *iso_rule; // the rule that chose it, for people and JSON: "otsu" or "constant"
};

// Reads all samples, once or twice.
void volume_facts(const struct volume *volume, struct volume_facts *out);
