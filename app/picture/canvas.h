// A picture in host memory, put together from its bands, and written as a PNG file.
#pragma once

#include "app/picture/bands.h"
#include "volumes/base/problem.h"

// Zero-initialised means empty.
struct canvas {
    uint32_t width, height;
    bool transparent; // R, G, B and straight alpha; otherwise R, G, B
    uint8_t *pixels;  // sRGB, top row first, without gaps
};

// On false (PROBLEM_HOST_MEMORY) `out` is empty.
bool canvas_create(
    uint32_t width, uint32_t height, bool transparent, struct canvas *out, struct problem *problem);
void canvas_destroy(struct canvas *canvas);

// Copies a band into the canvas. `pixels`: the band's pixels of four bytes each, R, G, B, A, or B,
// G, R, A if `swapped`; colours are premultiplied by alpha.
void canvas_take(
    struct canvas *canvas, const struct band *band, const uint8_t *pixels, bool swapped);

// Writes the file, with a tEXt chunk that names cubist and its version; atomically like mesh_write.
// `placed`: NULL, or as in output_open_new.
bool canvas_write(
    const struct canvas *canvas, const char *path, char *placed, struct problem *problem);
