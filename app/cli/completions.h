// What shells need to complete the command line, printed from the tables of commands and options.
// `command` plays no part.
#pragma once

#include "app/cli/command.h"

#include <stdio.h>

void print_bash(const struct command *command, FILE *out);
void print_zsh(const struct command *command, FILE *out);
void print_fish(const struct command *command, FILE *out);
