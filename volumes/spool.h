// Files without a name, which are gone with their last descriptor. Standard input as one: what is
// read as a volume is looked at more than once.
#pragma once

#include "volumes/problem.h"

#define SPOOL_NAME "standard input" // in messages

// Copies standard input to its end into a file without a name (in $TMPDIR or /tmp) and returns its
// descriptor at the start, which the caller owns; -1 with PROBLEM_INPUT where it is a terminal or
// cannot be read, PROBLEM_DEVICE where it cannot be kept.
int spool_standard_input(struct problem *problem);

// A new one in the folder that is open as `folder`, else (-1) in $TMPDIR or /tmp: its descriptor,
// or -1 with errno.
int spool_create(int folder);

// The path of the former for those who open it, and for messages about them: `why` goes into
// `problem` with SPOOL_NAME in the path's place. Returns false.
void spool_path(int fd, char path[32]);
bool spool_blame(int fd, const struct problem *why, struct problem *problem);
