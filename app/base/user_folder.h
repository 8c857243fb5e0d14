// The folders in which a person's programs keep files, by the XDG standard; and the volumes that
// were opened last.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The path of cubist's file `name`, malloc'ed. Its folder is the value of the environment variable
// `variable` ("XDG_CONFIG_HOME"); if that is not set, the folder `in_home` (".config") of the home.
// NULL where neither is set, or out of memory.
char *user_folder_path(const char *variable, const char *in_home, const char *name);

// Makes the folders of the file at `path`. Changes the text `path` during the call only.
// PROBLEM_OUTPUT where a folder cannot be made.
bool user_folder_make(char *path, struct problem *problem);

// Makes the folders of `path` as user_folder_make, then writes the file, or replaces it as a whole.
// PROBLEM_OUTPUT where that fails.
bool user_folder_write(char *path, const void *bytes, size_t size, struct problem *problem);

// Counts the files in the folder of `path` whose names are `digits` bytes and then `ending`. If
// there are more than `most`, removes the oldest one.
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

// Reads the list. Leaves out paths where nothing exists now; they stay in the file, because a disk
// may come back. Without the file the list is empty.
void recent_load(struct recent *out);
void recent_free(struct recent *recent);

// Adds a path at the end of the list in memory. Nothing happens where the list is full.
void recent_append(struct recent *recent, const char *path);

// Puts the path of a file or folder at the head of the list, and writes the list. Ignores a path
// with a line break. PROBLEM_OUTPUT where the list cannot be written.
bool recent_add(const char *path, struct problem *problem);
