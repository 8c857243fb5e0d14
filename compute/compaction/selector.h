// The method `auto`: selects one of the other methods for a stream.
//
// First it rules out methods that cannot run here or do not promise what is asked for. Then it
// selects the cheapest one: by the times measured on this device (times.h), or by the bytes moved
// if nothing was measured. Both are corrected by what the last steps took. A change must promise
// enough gain for a few steps in a row. A method that is predicted to be nearly as cheap is tried
// for a few steps, once for every kind of stream, because the times are known at a few points only.
// The selector always reports the method and the reason. It reads and writes no files: the caller
// keeps the times.
#pragma once

#include "compute/compaction/times.h"

#define SELECTION_TEXT 200

struct selector_stream {
    struct times_stream expected; // the expected stream: like the last one, or a guess
    bool guessed;                 // the density is a guess
    uint64_t most_lanes;          // lanes at most
    enum method_order order;      // the weakest order that is allowed
    bool in_place;                // the list is its own source
    bool removals;                // there is a kept list, and a list of elements to remove from it
    // For each row: whether its kernels exist. Only methods that have kernels are tried, but all
    // can be selected: creating kernels takes as long as hundreds of steps.
    bool ready[METHODS_MOST];
};

struct selection {
    const struct method *method; // NULL: no method can run, and the text says why
    double ms;                   // the predicted time
    char why[SELECTION_TEXT];    // one line that explains the selection
    // For each row: the predicted time; 0: the method cannot run this stream, or nothing is known.
    float predicted_ms[METHODS_MOST];
};

// What is remembered about one stream between its steps. Zero-initialised means nothing yet.
struct selector {
    const struct times *times;   // not owned; NULL: nothing was measured
    const struct method *method; // selected for the last step
    double lanes;                // lanes of the stream when a method was last selected afresh
    uint32_t better_steps;       // consecutive steps in which another method promised enough gain
    // For each row: the method has run. A first run is slow, because the kernels are new.
    bool has_run[METHODS_MOST];
    // Per method and density: the ratio of measured to predicted time; the number of steps that it
    // comes from; and `tries`, how many of them ran on streams about as long as the current one.
    struct {
        float ratio;
        uint32_t steps, tries;
    } history[METHODS_MOST][TIMES_DENSITIES];
};

#define SELECTOR_GAIN       0.15 // share of the time that a change must save
#define SELECTOR_GAIN_TRIED 0.07 // the share if both methods have been tried
#define SELECTOR_STEPS      3    // consecutive steps that must promise this
#define SELECTOR_TRIES      3    // steps after which a method counts as tried
#define SELECTOR_TRY        1.0  // try a method if it takes at most this share longer than the best

// Selects the method for the next step. Cheap; does not use the device.
void selector_select(
    struct selector *selector, const struct gpu *gpu, const struct selector_stream *stream,
    struct selection *out);

// Corrects the predictions: a step with `method` on `stream` took `ms`. A time of 0 and a method's
// first time are ignored.
void selector_correct(
    struct selector *selector, const struct gpu *gpu, const struct times_stream *stream,
    const struct method *method, double ms);

// Uses other times from now on. Corrections of the old ones are dropped.
void selector_set_times(struct selector *selector, const struct times *times);
