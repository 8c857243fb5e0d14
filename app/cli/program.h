// What the mains of app/programs have in common.
#pragma once

#include "app/cli/command.h"

// Reads the command line, runs the command, prints the problem. Returns the exit code. `runs`: a
// function for each command; NULL where this program does not have it.
int program_main(int argc, char **argv, command_run *const runs[COMMANDS]);
