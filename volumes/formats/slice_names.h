// What the names of a folder's slices say: a person numbers them, so a number that is missing, or
// numbers that start again, are worth a word before the surface is believed.
#pragma once

#include <stddef.h>

// Warns in one line where the names are of several series, or else where a number is missing among
// them. `paths`: all slices of `folder`, in the order in which they are stacked. Names without
// numbers, and numbers without a rule (times, identifiers), give no warning.
void slice_names_warn(const char *folder, char *const *paths, size_t count);
