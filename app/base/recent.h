// The volumes that a person opened last: $XDG_STATE_HOME/cubist/recent, or
// ~/.local/state/cubist/recent where that variable is not set. One path a line, the newest first.
// Several processes may add to it at the same time: the file is replaced as a whole.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stdint.h>

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
