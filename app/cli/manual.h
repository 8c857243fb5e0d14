// The man page and two lists, printed from the tables. `command` is not used.
#pragma once

#include "app/cli/command.h"

#include <stdio.h>

// cubist.1, in roff with the man macros.
void print_manual(const struct command *command, FILE *out);

// The keys and gestures of the window.
void print_bindings(const struct command *command, FILE *out);

// The formats that are read and written.
void print_formats(const struct command *command, FILE *out);
