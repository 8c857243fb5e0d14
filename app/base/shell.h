// Command lines for people to copy into a shell.
#pragma once

#include <stdio.h>

// Writes a word as a shell's script has it: in quotes where the shell would read anything into it.
// What is written is printable (see volumes/base/printable.h), and a shell still reads the word's
// own bytes from it.
void shell_put(const char *word, FILE *file);
