// The experiments of the papers, each as what bench compaction has to measure.
#pragma once

#include "app/bench/bench_plan.h"
#include "app/cli/words.h"

struct experiment {
    const char *name;   // "jumping-jack-11", as --rerun takes it
    const char *paper;  // "Moreira et al. 2009, Jumping Jack"
    const char *figure; // "figure 11"
    const char *summary;
    // As on the command line; NULL: as where nothing is said.
    const char *methods, *sizes, *densities, *patterns, *images, *blocks;
    bool concatenate; // the figure shows stages that only the papers' own form has
    bool stages;      // each stage has a row of its own
    bool removals;    // with a list of what is removed given, too
    bool prefixes;    // two prefix sums within blocks, no methods
    bool volumes;     // the whole extraction, on volumes
};

extern const struct experiment experiments[]; // ended by a row with a NULL name

#define EXPERIMENTS 32 // at most

words word_rerun;

// The experiments of a list parted by commas, in the order of the table: a name, the part of names
// before the figure ("redzone"), or "all". False where `name` is left with one that is unknown.
bool experiments_read(const char *text, bool selected[EXPERIMENTS], char name[80]);

// What it measures.
void experiment_plan(const struct experiment *experiment, struct plan *out);
