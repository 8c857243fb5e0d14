// What --help and --version print. The help is made from the tables of commands and options.
#pragma once

#include "app/cli/command.h"

#include <stdio.h>

// The help of a command; NULL: of the whole program.
void print_help(const struct command *command, FILE *out);

// The program's name and version.
void print_version(FILE *out);
