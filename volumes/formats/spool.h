// Files without a name, which are gone with their last descriptor. Standard input is copied into
// one, because readers look at a file more than once.
#pragma once

#include "volumes/base/problem.h"

#include <stdint.h>

#define SPOOL_NAME "standard input" // in messages

// Copies standard input to its end into a file without a name (in $TMPDIR or /tmp) and returns its
// descriptor at the start, for spool_release; lines call it by its name from here on. Keeps at most
// `max_input` bytes; 0: half of what is free there. -1 with PROBLEM_INPUT where it is a terminal or
// cannot be read, PROBLEM_LIMIT where it is more, PROBLEM_HOST_MEMORY where it
// cannot be kept, PROBLEM_INTERRUPTED.
int spool_standard_input(uint64_t max_input, struct problem *problem);
void spool_release(int fd);

// A new one in the folder that is open as `folder`, else (-1) in $TMPDIR or /tmp: its descriptor,
// or -1 with errno.
int spool_create(int folder);

// The path of the former for those who open it.
void spool_path(int fd, char path[32]);
