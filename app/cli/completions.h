// Prints completions for the shells, made from the tables of commands and options.
#pragma once

#include <stdio.h>

void print_bash(FILE *out);
void print_zsh(FILE *out);
void print_fish(FILE *out);
