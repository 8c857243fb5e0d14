// The file that -o names, looked at before any work is done for it.
#pragma once

#include "volumes/problem.h"

// Refuses a target that cannot be right: an extension other than `extension` (".ply"; none at all
// is fine; NULL: any), the input itself, a folder, a name in a folder that is not there. `input`
// may be NULL. What only writing can tell is left to writing.
bool target_check(
    const char *target, const char *extension, const char *input, struct problem *problem);

// True for "-": the data go to standard output, so the report must not.
bool target_is_stdout(const char *target);
