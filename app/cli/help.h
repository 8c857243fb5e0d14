// What the program prints instead of running a command, all from its tables: help (help.c), the man
// page and two lists (manual.c), and answers to the completion scripts of shells (completions.c).
#pragma once

#include "app/cli/command.h"

#include <stdio.h>

// Prints the help of a command; NULL: of the whole program.
void print_help(const struct command *command, FILE *out);

// Prints the name and version of the program.
void print_version(FILE *out);

// Prints the man page cubist.1, in roff with the man macros.
void print_manual(FILE *out);

// The text of the man page. A line such as @commands@ is replaced by a table.
extern const char text_manual[];

// Prints the keys and gestures of the window.
void print_bindings(FILE *out);

// Prints the formats that cubist reads and writes.
void print_formats(FILE *out);

// Answers the completion scripts of shells (app/package): `cubist --complete WORDS...`. Prints what
// the last word of `line` may be; NULL ends `line`. The words come after the name of the program.
// "=" may be a separate word, as in bash. Each line of the answer has one of these forms:
//   WORD, a tab, its help   a possible word, whether or not it fits what was typed
//   /ENDING ENDING...       folders, and files with one of these endings; no ending: all files
//   :FORM                   the form of the value, as in --help
void completions_answer(char *const *line, FILE *out);

// The completion scripts.
extern const char text_bash[], text_zsh[], text_fish[];
