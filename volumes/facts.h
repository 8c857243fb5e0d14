// What can be said of a volume before any surface: range, histogram, a first isovalue.
#pragma once

#include "volumes/volume.h"

#define VOLUME_BINS 256

struct volume_facts {
    double min, max;                 // over finite samples; both 0 where there is none
    uint64_t not_finite;             // samples that are NaN or infinite
    uint64_t histogram[VOLUME_BINS]; // of finite samples; bin b covers [min + b s, min + (b+1) s),
                                     // s = (max - min) / 256, the last bin also max; uint8 whose
                                     // range fits 256 values bins by value (see facts.c)
    double iso;                      // a good first isovalue
    const char *iso_rule;            // the rule that chose it, a word for people and JSON
};

void volume_facts(const struct volume *volume, struct volume_facts *out);
