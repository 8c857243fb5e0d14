// Writes PNG files.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stdint.h>

// Writes width x height pixels of `channels` bytes (3: R, G, B; 4: R, G, B and straight alpha;
// sRGB), top row first, without gaps, and a tEXt chunk that names cubist and its version. Atomic as
// in volumes/base/output.h. `placed`: NULL, or as in output_open_new.
bool png_write(
    const char *path, char *placed, uint32_t width, uint32_t height, uint32_t channels,
    const uint8_t *pixels, struct problem *problem);
