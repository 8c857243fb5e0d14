// The method `auto`: which of the others to run for a stream.
//
// First the gates: what cannot run here, or does not give what is asked for. Then the cheapest by
// the times measured on this device (times.h), or by the bytes moved where there are none yet,
// corrected by what the last steps took. A change must be worth it for a few steps in a row. What
// is predicted to be nearly as cheap is tried for a step or two, once on every kind of stream: a
// table says only so much between its points. Always says what, and why. Knows no files: who keeps
// the times is the caller's affair.
#pragma once

#include "compute/compaction/times.h"

#define SELECTION_TEXT 200

struct selector_stream {
    struct times_stream expected; // as expected, from the last run or a guess
    bool guessed;                 // the density is one
    uint64_t most_lanes;          // that there may be
    enum method_order order;      // at least
    bool in_place;                // the list is its own source
    bool removals; // there is a kept list to take elements out of, and a list of these
    // Of each row: its kernels are there. Others are not tried, only chosen: to make kernels takes
    // as long as hundreds of steps.
    bool ready[METHODS_MOST];
};

struct selection {
    const struct method *method; // NULL: none passed the gates, and the text says why
    double ms;                   // predicted
    char why[SELECTION_TEXT];    // a line for people
};

// What is remembered of one stream between its steps. Zero means nothing yet.
struct selector {
    const struct times *times;   // not owned; NULL: nothing was measured
    const struct method *method; // of the last step
    double lanes;                // when it was last decided on without regard to what ran
    uint32_t better_steps;       // steps in a row in which another one promised enough
    bool has_run[METHODS_MOST];  // has run a first time, which is slow: its kernels are new
    // Per method and density: measured over predicted time, and of how many steps; and how many of
    // these on streams about as long as this one.
    struct {
        float ratio;
        uint32_t steps, tries;
    } history[METHODS_MOST][TIMES_DENSITIES];
};

#define SELECTOR_GAIN       0.15 // share of its time that a change must promise
#define SELECTOR_GAIN_TRIED 0.07 // the same between two that were both tried
#define SELECTOR_STEPS      3    // for so many steps in a row
#define SELECTOR_TRIES      3    // steps that make a method a tried one
#define SELECTOR_TRY        1.0 // share of the best one's time that another may take on top to be tried

// Decides for the next step. Cheap; no device is touched.
void selector_select(
    struct selector *selector, const struct gpu *gpu, const struct selector_stream *stream,
    struct selection *out);

// A step with `method` took so long; `stream` as it really was. Times of 0 say nothing, nor does a
// method's first.
void selector_correct(
    struct selector *selector, const struct gpu *gpu, const struct times_stream *stream,
    const struct method *method, double ms);

// Other times from now on: what the old ones were corrected by is forgotten.
void selector_set_times(struct selector *selector, const struct times *times);
