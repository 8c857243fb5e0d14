// The man page and two lists, printed from the tables.
#pragma once

#include <stdio.h>

// cubist.1, in roff with the man macros.
void print_manual(FILE *out);

// Its section on runs that share the work (manual_runs.c).
extern const char manual_several_runs[];

// The keys and gestures of the window.
void print_bindings(FILE *out);

// The formats that are read and written.
void print_formats(FILE *out);
