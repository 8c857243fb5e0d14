// One input while one thread reads it. It holds
// - whether to go on: it asks the caller's progress and the flag `interrupted`;
// - how many bytes of it may be skipped;
// - the warnings about it. They are held back until the input has been read. If the input is
// refused they are dropped, so that a refusal is one line.
//
// Inputs nest. When an inner input has been read, the outer one takes over its warnings.
#pragma once

#include "volumes/base/problem.h"
#include "volumes/base/progress.h"

#include <stdint.h>
#include <stdio.h>

struct input {
    struct input *outer; // NULL: the outermost of this thread
    const struct progress *progress;
    struct source_files *files; // NULL, or a list to which each file that is opened is added
    double share;               // the share of the work done (0..1) that was last reported
    uint64_t most;              // bytes that may be skipped; 0: half of the memory that is free
    uint64_t skipped;           // bytes skipped so far
    FILE *held;                 // collects the warnings in `text`; NULL where there are none
    char *text;                 // the warnings so far
    char **notes;               // NULL, or where they are left in the end, for free
    size_t size;
};

// Makes `input` the current one of this thread. If `progress` or `files` is NULL, that of the outer
// input is used. `max_input` and `files`: see volume_params.
void input_begin(
    struct input *input, const struct progress *progress, uint64_t max_input,
    struct source_files *files);

// The list of this thread's input; NULL: files are not noted.
struct source_files *input_files(void);

// Ends `input`. Prints its warnings if `fine`, otherwise drops them. Returns `fine`.
bool input_end(struct input *input, bool fine);

// False with PROBLEM_INTERRUPTED once `interrupted` is set or the input's progress returns false.
// Every loop over input calls this every few MiB. It may also be called while no input is read.
bool input_go_on(const char *path, struct problem *problem);

// Does what input_go_on does and reports the share done / total. `progress` may be NULL.
bool progress_report(
    const struct progress *progress, const char *path, uint64_t done, uint64_t total,
    struct problem *problem);

// Counts `bytes` that will be read or inflated only to be skipped. PROBLEM_LIMIT where this input
// would skip too many bytes in all. Without this limit a small file could ask for endless work.
bool input_skips(const char *path, uint64_t bytes, struct problem *problem);

// Keeps one line for input_end to print. False where this thread reads no input; then the caller
// prints it.
bool input_holds(const char *line);
