// The experiments of the papers, and some of ours, as plans for bench compaction and bench cast.
#pragma once

#include "app/cli/bench_plan.h"
#include "app/cli/words.h"

struct experiment {
    const char *name;   // "jumping-jack-11", as --rerun takes it
    const char *paper;  // "Bontes and Gain 2024, Redzone"
    const char *figure; // "figure 11"
    const char *summary;
    // As on the command line; NULL: the default.
    const char *methods, *sizes, *densities, *patterns, *images, *blocks, *casters, *leaves;
    bool concatenate; // the figure shows stages that only the papers' own form has
    bool stages;      // each stage has a row of its own
    bool removals;    // also with a given list of removals
    bool prefixes;    // two prefix sums within blocks instead of methods
    bool volumes;     // the whole extraction, on volumes
    bool casts;       // of bench cast: rays, on volumes
    bool separate;    // also with methods out of the casters' kernels
    bool sweep;       // isovalues all over the range
    bool lanes;       // which share of a subgroup's lanes is busy
    bool tests;       // other tests of cells
};

extern const struct experiment experiments[]; // ended by a row with a NULL name

#define EXPERIMENTS 32 // at most

words word_rerun;

// Reads a comma-separated list: names, parts of names before the figure ("redzone"), or "all". The
// result is in the order of the table. False where one is unknown, which is copied to `name`.
bool experiments_read(const char *text, bool selected[EXPERIMENTS], char name[80]);

// The plan of an experiment.
void experiment_plan(const struct experiment *experiment, struct plan *out);
