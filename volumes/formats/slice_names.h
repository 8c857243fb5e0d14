// Checks the numbers in the names of a folder's slices. A missing number, or numbers that start
// again, often mean a wrong volume.
#pragma once

#include <stddef.h>

// Prints one warning line if the names belong to several series, otherwise if a number is missing.
// `paths`: all slices of `folder`, in the order in which they are stacked. Names without numbers,
// and numbers without a rule (times, identifiers), give no warning.
void slice_names_warn(const char *folder, char *const *paths, size_t count);
