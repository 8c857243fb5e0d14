// extract --plan: what a run of several processes would read, write and take. No samples are read,
// no device is opened, nothing is written.
#pragma once

#include "app/cli/options.h"

// Prints the report. The file's samples need not be there yet; a raw file that --dims and --type or
// its name describe need not exist. PROBLEM_USAGE for what several processes cannot read, as in the
// run itself.
bool extract_plan(const struct options *options, struct problem *problem);
