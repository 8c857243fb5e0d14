// Files without a name, which disappear with their last descriptor. Standard input is copied into
// one, because readers read a file more than once.
#pragma once

#include "volumes/base/problem.h"

#include <stdint.h>

#define SPOOL_NAME "standard input" // name of standard input in messages

// Copies standard input to its end into a file without a name (in $TMPDIR or /tmp) and returns its
// descriptor, positioned at the start. The caller closes it. Keeps at most `max_input` bytes; 0:
// half of what is free there. -1 with PROBLEM_INPUT where standard input is a terminal or cannot be
// read, PROBLEM_LIMIT where it is longer, PROBLEM_HOST_MEMORY where it cannot be kept, or
// PROBLEM_INTERRUPTED.
int spool_standard_input(uint64_t max_input, struct problem *problem);

// A new file without a name, in the folder that is open as `folder`, or with -1 in $TMPDIR or /tmp.
// Returns its descriptor, or -1 with errno.
int spool_create(int folder);
