// One input while it is read, on one thread: whom to ask whether to go on, how much of it may be
// passed over, and the warnings about it, which are held back until it has been read. So a refusal
// is one line: no warning stands before it that has become untrue.
//
// Inputs nest (a file is read while standard input is): the outer one takes over the warnings of an
// inner one that was read.
#pragma once

#include "volumes/base/problem.h"
#include "volumes/base/progress.h"

#include <stdint.h>
#include <stdio.h>

struct input {
    struct input *outer; // NULL: the outermost of this thread
    const struct progress *progress;
    double share;     // the last that was reported
    uint64_t most;    // bytes that may be passed over; 0: half of the memory that is free
    uint64_t skipped; // bytes that were
    FILE *held;       // warnings; NULL where there are none
    char *text;       // of `held`
    size_t size;
};

// `progress` may be NULL: then the outer input's is asked. `max_input`: as in volume_params.
void input_begin(struct input *input, const struct progress *progress, uint64_t max_input);

// Prints the warnings where `fine`, else forgets them. Returns `fine`.
bool input_end(struct input *input, bool fine);

// PROBLEM_INTERRUPTED once `interrupted` is set, or where the input's progress says so. Every loop
// over input asks, and none does more than a few MiB between two questions. Outside of an input,
// too.
bool input_go_on(const char *path, struct problem *problem);

// The same, and reports the share done. `progress` may be NULL.
bool progress_report(
    const struct progress *progress, const char *path, uint64_t done, uint64_t total,
    struct problem *problem);

// Counts `bytes` that are to be read or inflated only to be passed over. PROBLEM_LIMIT where they
// are more, with those of before, than this input may pass over: a small file can ask for any
// number of them.
bool input_skips(const char *path, uint64_t bytes, struct problem *problem);

// Keeps a whole line for input_end. False where this thread reads no input: print it.
bool input_holds(const char *line);
