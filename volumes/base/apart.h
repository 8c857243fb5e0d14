// An output must never replace a file of the input. This file compares the two by device, inode and
// time of birth, so that links and other spellings of a path are found, too.
//
// Files that are read register here (source_open). A command registers the names that it will write
// before it reads or writes anything. A file that is registered for both is refused. The file under
// a name that was not registered is still compared when it is opened for writing (output_open). The
// functions may be called from any thread.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>

// Registers the file at `path` as an output. "-" is standard output. Where there is no regular file
// only its folder matters, because a new file cannot be an input. PROBLEM_USAGE where the file was
// read, or its folder was; PROBLEM_HOST_MEMORY.
bool apart_output(const char *path, struct problem *problem);

// Registers the open file `fd` as an input. `path` is its name, for messages. PROBLEM_USAGE where
// the file will be written; PROBLEM_HOST_MEMORY.
bool apart_input(int fd, const char *path, struct problem *problem);

// Registers the folder at `path` as an input, with all files in it and below, without a look at
// them. PROBLEM_USAGE where a file in it will be written; PROBLEM_HOST_MEMORY.
bool apart_folder(const char *path, struct problem *problem);

// Asks whether a file may be written at `path`. PROBLEM_USAGE where it would be in a folder that is
// registered, or below.
bool apart_outside(const char *path, struct problem *problem);

// Asks whether a new file may replace the open file `fd`, or the one at `path` if `fd` is AT_FDCWD.
// PROBLEM_USAGE where that file was read.
bool apart_replace(int fd, const char *path, struct problem *problem);

// Forgets all files.
void apart_end(void);
