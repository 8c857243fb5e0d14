// The folders in which a person's programs keep files, by the XDG standard; and the volumes that
// were opened last.
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

// Puts a file in its place, and makes the folders of `path`, which is changed meanwhile.
// PROBLEM_OUTPUT where that cannot be done.
bool user_folder_write(char *path, const void *bytes, size_t size, struct problem *problem);

// Removes the oldest of the files in the folder of `path` whose names are `digits` bytes and
// `ending`, if there are more than `most`.
void user_folder_prune(const char *path, size_t digits, const char *ending, uint32_t most);

// ---- The volumes that a person opened last: $XDG_STATE_HOME/cubist/recent, or
// ~/.local/state/cubist/recent. One path a line, the newest first. Several processes may add to it
// at the same time: the file is replaced as a whole.

#define RECENT_MOST 20

// Zero-initialised means empty. Release with recent_free.
struct recent {
    char *paths[RECENT_MOST]; // absolute
    uint32_t count;
};

// Reads the list. Paths where there is nothing any more are left out of it, and stay in the file: a
// disk may come back. Empty where there is no list.
void recent_load(struct recent *out);
void recent_free(struct recent *recent);

// Adds a path at the end of the list in memory. Nothing happens where the list is full.
void recent_append(struct recent *recent, const char *path);

// Puts the file, or folder, at the head of the list, and writes it. A path that no line can hold is
// not kept. PROBLEM_OUTPUT where the list cannot be written.
bool recent_add(const char *path, struct problem *problem);
