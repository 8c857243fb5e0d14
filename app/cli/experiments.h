// The experiments of the papers, and some of ours, as plans for bench compaction and bench cast.
#pragma once

#include "app/cli/bench_plan.h"
#include "app/cli/words.h"

struct experiment {
    const char *name;   // "jumping-jack-11", as --rerun takes it
    const char *paper;  // "Bontes and Gain 2024, Redzone"
    const char *figure; // "figure 11"
    const char *summary;
    // Texts as on the command line. NULL means the default.
    const char *methods, *sizes, *densities, *patterns, *images, *blocks, *elements, *works,
        *casters, *leaves;
    bool concatenate; // compact blocks separately, then concatenate: the figure shows these stages
    bool stages;      // each stage has a row of its own
    bool removals;    // also run each method with a given list of removals
    bool adds;        // as many elements join the list in a run as leave it: with pattern tail:0
    bool preserves;   // also make the list from the positions of the kept elements
    bool prefixes;    // time two prefix sums within blocks instead of methods
    bool atomics;     // also time unordered compaction by atomics, of three kinds
    bool volumes;     // time the whole extraction, on volumes
    bool casts;       // for bench cast: time rays, on volumes
    bool separate;    // also compact in kernels that are separate from those of the casters
    bool sweep;       // use isovalues that are spread over the whole range
    bool lanes;       // measure which share of a subgroup's lanes is busy
    bool tests;       // compare other tests whether a ray meets the surface in a cell
};

extern const struct experiment experiments[]; // ended by a row with a NULL name

#define EXPERIMENTS 32 // at most

words word_rerun;

// Reads a comma-separated list of names, parts of names before the figure ("redzone"), or "all".
// Sets selected[i] for each row i that is meant. False: `name` is the first unknown name.
bool experiments_read(const char *text, bool selected[EXPERIMENTS], char name[80]);

// The plan of an experiment.
void experiment_plan(const struct experiment *experiment, struct plan *out);
