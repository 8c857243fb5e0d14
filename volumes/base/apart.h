// An output never replaces a part of the input. This is where both are compared: by device and
// inode, so that links and other spellings of a path count, too.
//
// Files that are read register here (source_open), and so do the names that a command is going to
// write, before it reads or writes anything. A file that is both is refused. Where a name was not
// registered, the file under it is still compared when it is opened for writing (output_open).
// All functions may be called from any thread.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <sys/stat.h>

// The file at `path` will be written. "-" is standard output. Nothing happens where `path` is not a
// regular file: a new file is no part of the input. PROBLEM_USAGE where the file was read;
// PROBLEM_HOST_MEMORY.
bool apart_output(const char *path, struct problem *problem);

// The open file `fd` is read. `path` is its name, for messages. PROBLEM_USAGE where it will be
// written; PROBLEM_HOST_MEMORY.
bool apart_input(int fd, const char *path, struct problem *problem);

// A new file is to take the place of the file `old` at `path`. PROBLEM_USAGE where it was read.
bool apart_replace(const char *path, const struct stat *old, struct problem *problem);

// Forgets all files.
void apart_end(void);
