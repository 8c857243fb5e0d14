// Reads the command line by the tables of commands and options.
#pragma once

#include "app/cli/options.h"

// Reads the command line. PROBLEM_USAGE for what is not understood, PROBLEM_INPUT for a size or
// distance that no volume can have, PROBLEM_LIMIT for one that is too large. Does not use the
// device.
bool arguments_parse(int argc, char **argv, struct options *out, struct problem *problem);
