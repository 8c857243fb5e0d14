// What bash, zsh and fish complete. Their scripts (app/package) ask with `cubist --complete
// WORDS...`.
#pragma once

#include <stdio.h>

// Prints what the last word of `line` may be; a NULL ends it. The words come after the program's
// name, and
// "=" may be a word of its own, as in bash. A line is one of
//   WORD, a tab, its help     a possible word, whatever was typed of it
//   /ENDING ENDING...         folders, and files with one of these endings; any file if there is
//   none :FORM                     the form of the value, as in --help
void completions_answer(char *const *line, FILE *out);

// The scripts.
extern const char text_bash[], text_zsh[], text_fish[];
