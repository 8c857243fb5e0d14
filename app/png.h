// Writes PNG files.
#pragma once

#include "volumes/problem.h"

#include <stdbool.h>
#include <stdint.h>

// Writes width x height pixels of 4 bytes (R, G, B, A; sRGB, straight alpha), top row first.
// Without `alpha` the fourth byte is left out. Atomic as in volumes/output.h.
bool png_write(
    const char *path, uint32_t width, uint32_t height, const uint8_t *pixels, bool alpha,
    struct problem *problem);
