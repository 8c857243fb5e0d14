// What the program prints in place of running a command, from its tables: help (help.c), the man
// page and two lists (manual.c), and what the shells complete (completions.c).
#pragma once

#include "app/cli/command.h"

#include <stdio.h>

// The help of a command; NULL: of the whole program.
void print_help(const struct command *command, FILE *out);

// The program's name and version.
void print_version(FILE *out);

// cubist.1, in roff with the man macros.
void print_manual(FILE *out);

// Its text, with a line such as @commands@ where a table goes.
extern const char text_manual[];

// The keys and gestures of the window.
void print_bindings(FILE *out);

// The formats that are read and written.
void print_formats(FILE *out);

// Answers bash, zsh and fish, whose scripts (app/package) ask with `cubist --complete WORDS...`.
// Prints what the last word of `line` may be; a NULL ends it. The words come after the program's
// name. "=" may be a word of its own, as in bash. A line of the answer is one of
//   WORD, a tab, its help   a possible word, whatever was typed of it
//   /ENDING ENDING...       folders, and files with one of these endings, or any if there is none
//   :FORM                   the form of the value, as in --help
void completions_answer(char *const *line, FILE *out);

// The scripts.
extern const char text_bash[], text_zsh[], text_fish[];
