// The file that -o names, looked at before any work is done for it.
#pragma once

#include "volumes/base/problem.h"

#include <stddef.h>

// Refuses a target that cannot be right: an extension other than `extension` (".ply"; none at all
// is fine; NULL: any), a folder, a name in a folder that is not there. What only writing can tell
// is left to writing. A target that is one of the input's files is refused once that file is opened
// (source_keep_from), so call this before anything is read.
bool target_check(const char *target, const char *extension, struct problem *problem);

// The path of a file `name` in the current folder, from the root, so that people know where it is;
// the name alone where the folder has no path.
void target_here(const char *name, char *out, size_t size);

// True for "-": the data go to standard output, so the report must not.
bool target_is_stdout(const char *target);
