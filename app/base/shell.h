// Command lines for people to copy into a shell.
#pragma once

#include <stdio.h>

// Writes a word for a shell script, in quotes if the shell would interpret any character of it. The
// output is printable (see volumes/base/printable.h), and a shell reads the word's exact bytes from
// it.
void shell_put(const char *word, FILE *file);
