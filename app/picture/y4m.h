// A film without compression, YUV4MPEG2: every player and encoder reads it, also from a pipe.
#pragma once

#include "app/picture/canvas.h"
#include "volumes/base/output.h"

// Zero-initialised means closed.
struct y4m {
    struct output output;
    bool open, whole; // the file is open; no frame in it is cut short
    uint32_t width, height;
    uint8_t *planes; // Y, Cb, Cr of a frame
};

// Begins the file, atomically as in volumes/base/output.h; "-" is standard output.
bool y4m_open(
    const char *path, uint32_t width, uint32_t height, uint32_t fps, struct y4m *out,
    struct problem *problem);

// Appends a frame: a canvas of the film's size, not transparent.
bool y4m_write(struct y4m *film, const struct canvas *canvas, struct problem *problem);

// If `fine`, puts the file in its place, otherwise drops it. A pipe gets all whole frames either
// way. Returns whether `fine` is true and the file was closed well. `film` may be closed.
bool y4m_close(struct y4m *film, bool fine, struct problem *problem);
