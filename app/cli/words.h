// The words that may stand on the command line, out of the tables that know them: what the shells
// complete and the man page lists.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct word {
    char text[32];
    const char *summary; // NULL: it speaks for itself
};

// A list of words: fills `out` with one of them, false past the last.
typedef bool words(size_t index, struct word *out);

words word_type;
words word_method;
words word_device_method; // those that can make a surface
words word_generator;
words word_mesh_format;
words word_volume_format;

// Endings of file names, with their dots.
words word_mesh_extension;   // of meshes that cubist writes
words word_volume_extension; // of volumes that it writes
words word_raw_extension;
words word_png_extension;
words word_input_extension; // of volumes that it reads

// The word of the list that the person may have meant: the one with the fewest letters added, left
// out, changed or swapped with a neighbour, or one that `text` begins, is a part of or begins with.
// False where none is near.
bool word_nearest(words *list, const char *text, struct word *out);

// The words that a value may be: those that stand for themselves in `value` ("little|big", but not
// "TYPE"), then those of `more`, which may be NULL.
bool word_of_value(const char *value, words *more, size_t index, struct word *out);
