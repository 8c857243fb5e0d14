// A scene as a PNG file.
#pragma once

#include "app/picture/renderer.h"

// Draws the area scene->area into a picture of that size and writes it, atomically. Waits for the
// device. `placed`: NULL, or as in output_open_new.
bool scene_save(
    struct gpu *gpu, const struct renderer *renderer, const struct scene *scene, const char *path,
    char *placed, struct problem *problem);

// The same in several parts: the picture for a scene of this size, and the buffer to read it back.
// On false both are empty.
bool scene_pixels(
    struct gpu *gpu, const struct renderer *renderer, uint32_t width, uint32_t height,
    struct picture *picture, struct buffer *pixels, struct problem *problem);

// Draws the scene, which fills the picture, and writes it.
bool scene_write(
    struct gpu *gpu, const struct renderer *renderer, const struct scene *scene,
    const struct picture *picture, const struct buffer *pixels, const char *path, char *placed,
    struct problem *problem);
