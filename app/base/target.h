// The file that -o names. It is checked before any work is done for it.
#pragma once

#include "volumes/base/problem.h"

#include <stddef.h>

// Refuses a target that cannot be right: a folder, a name in a folder that does not exist, or
// another extension than `extension` (".ply"; NULL: any). A name without an extension is allowed.
// Other errors show only when the file is written. A target that is a file of the input is refused
// when that file is opened (apart.h), so call this before anything is read.
bool target_check(const char *target, const char *extension, struct problem *problem);

// Writes the absolute path of a file `name` in the current folder, so that people know where it is.
// Writes only the name if the folder's path is not known.
void target_here(const char *name, char *out, size_t size);

// True for "-": the data go to standard output, so the report must go elsewhere.
bool target_is_stdout(const char *target);
