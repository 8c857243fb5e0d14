// One still image in memory. The only door to stb_image: PNG alone, checked before it is decoded
// (signature, header, every chunk's length and sum), so that the decoder sees sound files and no
// size it cannot hold.
#pragma once

#include "volumes/source.h"

struct image {
    uint32_t width, height;
    uint32_t channels; // 1 grey, 2 grey + alpha, 3 RGB, 4 RGBA
    uint32_t bits;     // of a sample in `pixels`: 8 or 16; fewer are spread over 0..255
    void *pixels;      // top row first, host byte order; NULL when only probed
};

// Reads the header only: width, height, bits. Consumes nothing of the source.
bool image_probe(struct source *source, struct image *out, struct problem *problem);

// Reads the whole file and decodes it. `max_bytes` bounds what decoding may take (PROBLEM_DEVICE);
// zero: three quarters of RAM. Release with image_destroy.
bool image_read(
    struct source *source, uint64_t max_bytes, struct image *out, struct problem *problem);

void image_destroy(struct image *image);

// Copies a rectangle of a grey image, or of one whose colour channels are equal, into `out` (tight,
// image->bits each); alpha is ignored. False where the colours differ, with the pixel.
bool image_copy_grey(
    const struct image *image, const char *path, uint32_t x, uint32_t y, uint32_t width,
    uint32_t height, void *out, struct problem *problem);
