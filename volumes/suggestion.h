// The isovalue that the samples of a volume suggest, and the reason in words.
#pragma once

#include "volumes/values.h"

// Counts of pairs of finite samples that are neighbours along x.
struct suggestion_pairs {
    double lowest; // the lowest value so far; INFINITY: none
    uint64_t all, equal;
    // How many of `all`, and how many of `equal`, have a sample of the lowest value.
    uint64_t lowest_all, lowest_equal;
};

// Which samples the suggestion counts.
struct suggestion_limits {
    bool no_lowest, no_highest; // do not count samples of the lowest, the greatest value
    double rim;                 // lower samples count as if they had this value; -INFINITY: none do
    double low, high;           // nearly all counted samples lie between them; low < high
};

// Finds the limits from all members of `values` but `fine`, which is filled later by these limits.
// The samples must have two different values. The limits depend on the counts alone, so processes
// that have added up their counts find the same limits.
void suggestion_find_limits(const struct values *values, struct suggestion_limits *out);

struct suggestion {
    double iso;      // values->min < iso <= values->max; for a constant volume min
    char rule[120];  // "CT: bone at 250 HU"; with zeros to its end
    bool hounsfield; // by their counts the samples are in Hounsfield units
};

// Isovalues that show skin and bone, in Hounsfield units.
#define SUGGESTION_SKIN (-300.0)
#define SUGGESTION_BONE 250.0

// `whole`: all samples are whole numbers. `labels`: the file says that they are labels. `density`:
// the file is a map of a density.
void suggestion_find(
    const struct values *values, const struct suggestion_limits *limits,
    const struct suggestion_pairs *pairs, bool whole, bool labels, bool density,
    struct suggestion *out);
