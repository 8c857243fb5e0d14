// The man page and two lists, printed from the tables and from app/package/cubist.1.in.
#pragma once

#include <stdio.h>

// cubist.1, in roff with the man macros.
void print_manual(FILE *out);

// Its text, with a line such as @commands@ where a table goes.
extern const char text_manual[];

// The keys and gestures of the window.
void print_bindings(FILE *out);

// The formats that are read and written.
void print_formats(FILE *out);
