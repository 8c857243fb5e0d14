// One PNG image in memory. Only this file uses stb_image. Signature, header, and every chunk's
// length and checksum are checked before decoding, so that the decoder gets only valid files of a
// size that it can hold.
#pragma once

#include "volumes/formats/source.h"

struct slice_image {
    uint32_t width, height;
    uint32_t channels; // 1 grey, 2 grey + alpha, 3 RGB, 4 RGBA
    uint32_t bits;     // bits of a sample in `pixels`: 8 or 16; smaller ones are scaled to 0..255
    void *pixels;      // top row first, host byte order; NULL if only probed
};

// Reads only the header and sets all but `pixels`. A palette counts as RGB. Consumes nothing of the
// source. PROBLEM_INPUT also where the file is too small for that many pixels.
bool slice_image_probe(struct source *source, struct slice_image *out, struct problem *problem);

// Reads the whole file and decodes it. `max_bytes` limits the memory of decoding (PROBLEM_LIMIT);
// zero: three quarters of RAM. Release with slice_image_destroy.
bool slice_image_read(
    struct source *source, uint64_t max_bytes, struct slice_image *out, struct problem *problem);

void slice_image_destroy(struct slice_image *image);

// A picture that cubist draws is not a slice, even where it lies among slices. In such a file this
// tEXt chunk, followed by a version, comes right after the header.
#define PICTURE_CHUNK "tEXtSoftware\0cubist "

// Whether the file of this name in the folder is a PNG image with that chunk.
bool slice_image_is_picture(const char *folder, const char *name);

// Copies a rectangle of a grey image, or of one with equal colour channels, into `out` (without
// gaps, image->bits each). Alpha is ignored. False where the colours differ; `problem` names the
// pixel.
bool image_copy_grey(
    const struct slice_image *image, const char *path, uint32_t x, uint32_t y, uint32_t width,
    uint32_t height, void *out, struct problem *problem);
