// Standard input as a file: what is read as a volume is looked at more than once.
#pragma once

#include "volumes/problem.h"

#define SPOOL_NAME "standard input" // in messages

// Copies standard input to its end into a file without a name (in $TMPDIR or /tmp) and returns its
// descriptor at the start, which the caller owns; -1 with PROBLEM_INPUT where it is a terminal or
// cannot be read, PROBLEM_DEVICE where it cannot be kept.
int spool_standard_input(struct problem *problem);
