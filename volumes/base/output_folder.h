// A folder for the time of a run, beside the file that the run writes, with a name that starts with
// a dot. Where the run is killed, the next run on this host that writes a file beside it removes
// the folder, with the files in it. A folder that stays gets its final name at the end.
#pragma once

#include "volumes/base/output.h"

#include <limits.h>
#include <sys/types.h>

// Zero-initialised means that there is none.
struct output_folder {
    char path[PATH_MAX]; // absolute; empty: there is none
    int lock;            // descriptor of a lock that is held until the run ends
};

// `beside` is open, and not written directly. `mode` is as for mkdir. PROBLEM_OUTPUT where no
// folder can be made.
bool output_folder_make(
    const struct output *beside, mode_t mode, struct output_folder *out, struct problem *problem);

// Gives the folder a name that stays, and ends the lock. False with errno where it cannot, with
// EEXIST where the name is taken; then nothing was changed.
bool output_folder_place(
    struct output_folder *folder, const struct output *beside, const char *name);

// Removes the folder if it is empty, and ends the lock. Takes a zeroed one.
void output_folder_remove(struct output_folder *folder);
