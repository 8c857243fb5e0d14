// A temporary folder of a run, beside the file that the run writes. Its name starts with a dot. If
// the run is killed, the next run on this host that writes a file beside the folder removes it with
// the files in it. A folder that is kept gets its final name at the end.
#pragma once

#include "volumes/base/output.h"

#include <limits.h>
#include <sys/types.h>

// Zero-initialised means that there is none.
struct output_folder {
    char path[PATH_MAX]; // absolute path; empty where there is no folder
    int lock;            // descriptor of a lock that is held until the run ends
};

// Makes the folder. `beside` must be open and must not be written directly. `mode` is as for mkdir.
// PROBLEM_OUTPUT where no folder can be made.
bool output_folder_make(
    const struct output *beside, mode_t mode, struct output_folder *out, struct problem *problem);

// Renames the folder to `name` and releases the lock. Returns false with errno on failure, EEXIST
// where the name is taken; then nothing was changed.
bool output_folder_place(
    struct output_folder *folder, const struct output *beside, const char *name);

// Removes the folder if it is empty, and releases the lock. `folder` may be zeroed.
void output_folder_remove(struct output_folder *folder);
