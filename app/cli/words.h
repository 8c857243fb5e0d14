// The words that may be on the command line, from the tables that define them. The shells complete
// them and the man page lists them.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct word {
    char text[32];
    const char *summary; // NULL: the word needs none
};

// A list of words. Fills `out` with word number `index`; false after the last.
typedef bool words(size_t index, struct word *out);

words word_type;
words word_method;
words word_device_method; // methods that can make a surface
words word_caster;
words word_rounds_caster; // casters in rounds
words word_generator;
words word_colour;
words word_mesh_format;
words word_volume_format;

// File extensions, with their dots.
words word_mesh_extension;   // of meshes that cubist writes
words word_volume_extension; // of volumes that cubist writes
words word_png_extension;
words word_session_extension;
words word_film_extension;  // of pictures and films that animate writes
words word_input_extension; // of volumes that cubist reads
words word_share_extension; // of shares

// The possible words of a value: first the literal words in `value` ("little|big", but not "TYPE"),
// then those of `more`. Both may be NULL.
bool word_of_value(const char *value, words *more, size_t index, struct word *out);

// Prints the words, each with its summary from column `width` + 2 on.
void word_print_list(words *list, int width, FILE *out);

// Writes the words as "man, bash, zsh or fish", cut off after `size` - 1 bytes.
void word_list(const char *value, words *more, char *out, size_t size);

// The index of `text` in this list of words; -1 if the list does not have it.
int word_find(const char *value, words *more, const char *text);

// Finds the word that the person may have meant: the one with the fewest letters added, left out,
// changed or swapped, or one that begins with `text`, contains it, or is the start of it. False
// where no word is near.
bool word_nearest(const char *value, words *more, const char *text, struct word *out);

// Refuses `text` as a value of `what` ("--format") with PROBLEM_USAGE, and suggests the word that
// the person may have meant. `expected` NULL: the message lists the words. Returns false.
bool word_refuse(
    const char *what, const char *value, words *more, const char *text, const char *expected,
    struct problem *problem);
