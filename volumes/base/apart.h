// An output must never replace a file of the input. This file compares the two by device and inode,
// so that links and other spellings of a path are found, too.
//
// Files that are read register here (source_open). A command registers the names that it will write
// before it reads or writes anything. A file that is registered for both is refused. The file under
// a name that was not registered is still compared when it is opened for writing (output_open). The
// functions may be called from any thread.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <sys/stat.h>

// Registers the file at `path` as an output. "-" is standard output. Does nothing where `path` is
// not a regular file, because a new file cannot be an input. PROBLEM_USAGE where the file was read;
// PROBLEM_HOST_MEMORY.
bool apart_output(const char *path, struct problem *problem);

// Registers the open file `fd` as an input. `path` is its name, for messages. PROBLEM_USAGE where
// the file will be written; PROBLEM_HOST_MEMORY.
bool apart_input(int fd, const char *path, struct problem *problem);

// Asks whether a new file may replace the file `old` at `path`. PROBLEM_USAGE where `old` was read.
bool apart_replace(const char *path, const struct stat *old, struct problem *problem);

// Forgets all files.
void apart_end(void);
