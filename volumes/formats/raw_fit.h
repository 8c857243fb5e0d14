// Checks that a raw file has the size that its dims and type need. If not, it suggests what would
// fit, for an error message.
#pragma once

#include "volumes/volume.h"

// Writes up to three suggestions for `bytes` of samples near `dim` and `type`, joined by ", "
// ("64x64x32 uint8, ..."), or an empty text.
void raw_fit(uint64_t bytes, const uint64_t dim[3], enum volume_type type, char *text, size_t size);

// The bytes of the offset and of the samples with `size` bytes each; UINT64_MAX where 64 bits are
// too few.
uint64_t raw_fit_bytes(const uint64_t dim[3], size_t size, uint64_t offset);

// Says that the size of the file does not fit its dims, type and offset, and what would fit. `has`:
// put before the number ("", "inflated "). PROBLEM_INPUT; returns false.
bool raw_fit_refuse(
    const char *path, const char *has, uint64_t bytes, uint64_t offset, const uint64_t dim[3],
    enum volume_type type, struct problem *problem);
