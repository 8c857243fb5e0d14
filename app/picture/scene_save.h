// A scene as a PNG file, drawn in bands.
#pragma once

#include "app/picture/canvas.h"
#include "app/picture/renderer.h"

// Creates the images that one of these bands is drawn into, and the buffer to read it back. On
// false both are empty. PROBLEM_LIMIT where the whole picture is too large for the device.
// `samples`: those of the renderer; one for pictures that show only rays. `composited`: as in
// struct picture_params.
bool scene_band_create(
    struct gpu *gpu, const struct renderer *renderer, const struct bands *bands,
    VkSampleCountFlagBits samples, bool composited, struct picture *picture, struct buffer *pixels,
    struct problem *problem);

// Sets the area of the scene so that the picture of this band shows its part of the whole.
void scene_set_band(struct scene *scene, const struct bands *bands, uint32_t index);

// Draws the scene, whose area scene_set_band has set, and copies the band into the canvas. Waits
// for the device. *hits: number of the scene's rays that met the surface.
bool scene_draw_band(
    struct gpu *gpu, struct renderer *renderer, const struct scene *scene,
    const struct picture *picture, const struct buffer *pixels, const struct band *band,
    struct canvas *canvas, uint32_t *hits, struct problem *problem);

// Draws the scene into a canvas of the bands' size. Ignores scene->area. Waits for the device.
// `picture` and `pixels` are from scene_band_create.
bool scene_draw(
    struct gpu *gpu, struct renderer *renderer, const struct scene *scene,
    const struct bands *bands, const struct picture *picture, const struct buffer *pixels,
    struct canvas *canvas, struct problem *problem);

// Draws the scene as a picture of width x height pixels, and writes the file, atomically. Ignores
// scene->area. Waits for the device. `placed`: NULL, or as in output_open_new.
bool scene_save(
    struct gpu *gpu, struct renderer *renderer, const struct scene *scene, uint32_t width,
    uint32_t height, const char *path, char *placed, struct problem *problem);
