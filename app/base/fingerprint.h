// What shows whether a file is the one from before, without reading all of it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct fingerprint {
    uint64_t bytes; // size of the file
    uint64_t start; // a hash of its first MiB
};

// A hash of a text, for the name of a file.
uint64_t fingerprint_text(const char *text);

// False for what is not a regular file, such as a folder, or cannot be read.
bool fingerprint_of(const char *path, struct fingerprint *out);
