// What shows whether a file is the one from before, without reading all of it.
#pragma once

#include "volumes/formats/source.h"

#include <stdbool.h>
#include <stdint.h>

struct fingerprint {
    uint64_t bytes; // size of the file
    uint64_t start; // a hash of its first MiB
};

// A hash of a text, for the name of a file.
uint64_t fingerprint_text(const char *text);

// What shows whether several files are those from before, as one row of bytes.
struct files_fingerprint {
    uint64_t bytes;  // of all
    uint64_t spread; // a hash of some 256 blocks of 4 KiB, spread evenly; up to 1 MiB: of all bytes
    int64_t time;    // when the last of them was written to, in nanoseconds
};

// Reads the blocks only if it `spreads`; else `spread` is 0. PROBLEM_INPUT where a file cannot be
// read. Without files the size is 0.
bool fingerprint_of_files(
    const struct source_files *files, bool spreads, struct files_fingerprint *out,
    struct problem *problem);

// False for what is not a regular file, such as a folder, or cannot be read.
bool fingerprint_of(const char *path, struct fingerprint *out);
