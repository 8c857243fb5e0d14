// What the mains of app/programs have in common.
#pragma once

#include "app/cli/command.h"

// Reads the command line, runs the command, prints the problem. Returns the exit code. `runs` has
// the function of each command, or NULL if the program does not have the command.
int program_main(int argc, char **argv, command_run *const runs[COMMANDS]);
