// The folders in which a person's programs keep files, by the XDG standard.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The path of cubist's file `name` in the folder that the environment's `variable` names
// ("XDG_CONFIG_HOME"), or else in this folder of the home (".config"). Malloc'ed; NULL where there
// is no such folder, or no memory.
char *user_folder_path(const char *variable, const char *in_home, const char *name);

// Makes the folders of the file at `path`, which is changed meanwhile. PROBLEM_OUTPUT where one
// cannot be made.
bool user_folder_make(char *path, struct problem *problem);

// Removes the oldest of the files in the folder of `path` whose names are `digits` bytes and
// `ending`, if there are more than `most`.
void user_folder_prune(const char *path, size_t digits, const char *ending, uint32_t most);
