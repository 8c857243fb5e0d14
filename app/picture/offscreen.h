// The viewer's picture without a window. It looks as in the window.
#pragma once

#include "app/picture/renderer.h"

struct offscreen_params {
    uint32_t width, height; // pixels
    VkSampleCountFlagBits samples;
};

// Zero-initialised means closed. Do not move the struct while it is open.
struct offscreen {
    struct gpu *gpu;
    struct renderer renderer;
    struct placement placement;
    struct view view;
    struct picture picture;
    struct buffer pixels;
    struct scene scene;
};

// The device memory that it needs.
uint64_t offscreen_bytes(const struct gpu *gpu, const struct offscreen_params *params);

// `volume` gives the position of its surface in the world, `cubes` what the picture has to show.
// `view` is copied; its camera is set by its start.
bool offscreen_open(
    struct gpu *gpu, const struct volume *volume, const struct cubes *cubes,
    const struct view *view, const struct offscreen_params *params, struct offscreen *out,
    struct problem *problem);

// Draws a part of the surface and waits for it. Parts hide each other like one surface. False: the
// part was not drawn; unless the device is lost, the caller may draw it again.
bool offscreen_add(
    struct offscreen *offscreen, const struct surface *surface, struct problem *problem);

// Draws the last part (NULL: none) and writes a PNG, atomically like mesh_write. `placed`: NULL, or
// as in output_open_new.
bool offscreen_save(
    struct offscreen *offscreen, const struct surface *surface, const char *path, char *placed,
    struct problem *problem);

void offscreen_close(struct offscreen *offscreen);
