// A picture for a file is drawn in bands. They depend only on the picture's size, not on the device
// or its memory. So a picture always has the same bytes, although the last bits of a rasterized
// triangle depend on its position in the image that is drawn into.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Limits of a band: columns, which every device can draw, and pixels, roughly. A band with 4
// samples per pixel takes about 45 MiB of device memory.
#define BAND_COLUMNS 4096
#define BAND_PIXELS  (1u << 20)

// The largest picture, in pixels along a side.
#define BANDS_MOST 16384

struct bands {
    uint32_t width, height; // of the whole picture
    uint32_t across, down;  // number of bands along x and y
    uint32_t columns, rows; // pixels of the largest band
};

struct band {
    uint32_t x, y, width, height; // pixels of the picture
};

struct bands bands_of(uint32_t width, uint32_t height);

// The factor by which a picture can be enlarged: `wanted`, or half of it, and so on, down to 1.
uint32_t bands_times(uint32_t width, uint32_t height, uint32_t wanted);

// Band `index`, below across * down. Bands are numbered in rows, from the top.
struct band band_at(const struct bands *bands, uint32_t index);
