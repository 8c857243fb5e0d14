// Prints completions for the shells, made from the tables of commands and options. `command` is not
// used.
#pragma once

#include "app/cli/command.h"

#include <stdio.h>

void print_bash(const struct command *command, FILE *out);
void print_zsh(const struct command *command, FILE *out);
void print_fish(const struct command *command, FILE *out);
