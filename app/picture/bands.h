// The bands that a picture for a file is drawn in. They depend only on the picture's size, not on
// the device or its memory, so that the same size always has the same bytes: what a rasterizer
// makes of a triangle differs in the last bit with its place in the image that is drawn into.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// A band has at most so many columns, which every device draws, and about so many pixels, so that
// one of 4 samples takes about 45 MiB of device memory.
#define BAND_COLUMNS 4096
#define BAND_PIXELS  (1u << 20)

// The largest picture, in pixels along a side.
#define BANDS_MOST 16384

struct bands {
    uint32_t width, height; // of the whole picture
    uint32_t across, down;  // how many there are
    uint32_t columns, rows; // of the largest
};

struct band {
    uint32_t x, y, width, height; // pixels of the picture
};

struct bands bands_of(uint32_t width, uint32_t height);

// By how many times a picture can be enlarged: `wanted` times, or half of it, and so on, down to 1.
uint32_t bands_times(uint32_t width, uint32_t height, uint32_t wanted);

// Band `index` of across * down; rows of bands from the top.
struct band band_at(const struct bands *bands, uint32_t index);
