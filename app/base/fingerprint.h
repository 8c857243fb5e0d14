// Fingerprints show whether a file is still the same, without reading all of it.
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

// The fingerprint of several files, which are read as one sequence of bytes.
struct files_fingerprint {
    uint64_t bytes;  // size of all files together
    uint64_t spread; // hash of about 256 evenly spread blocks of 4 KiB; up to 1 MiB: of all bytes
    int64_t time;    // the newest modification time, in nanoseconds
};

// Reads blocks and sets out->spread only if `spreads` is true; otherwise out->spread is 0.
// PROBLEM_INPUT where a file cannot be read. Without files out->bytes is 0.
bool fingerprint_of_files(
    const struct source_files *files, bool spreads, struct files_fingerprint *out,
    struct problem *problem);

// False where `path` is not a regular file (but a folder, say) or cannot be read.
bool fingerprint_of(const char *path, struct fingerprint *out);
