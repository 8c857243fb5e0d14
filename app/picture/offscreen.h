// The viewer's picture without a window, drawn as the viewer would draw it on opening: same camera,
// light and background.
#pragma once

#include "app/picture/renderer.h"

struct offscreen_params {
    uint32_t width, height; // pixels
    bool transparent;       // background alpha 0
};

// Zero-initialised means closed. Stays where it is while it is open.
struct offscreen {
    struct gpu *gpu;
    struct renderer renderer;
    struct placement placement;
    struct view view;
    struct picture picture;
    struct buffer pixels;
    struct scene scene;
};

// Device memory that it takes.
uint64_t offscreen_bytes(const struct gpu *gpu, const struct offscreen_params *params);

// `volume` says where its surface stands in the world. `view` is copied, and its camera set as the
// window sets it on opening.
bool offscreen_open(
    struct gpu *gpu, const struct volume *volume, const struct view *view,
    const struct offscreen_params *params, struct offscreen *out, struct problem *problem);

// Draws a part of the surface, and waits for it. Parts hide each other as if they were one. False:
// the part was not drawn; unless the device is lost it may be drawn again.
bool offscreen_add(
    struct offscreen *offscreen, const struct surface *surface, struct problem *problem);

// Draws the last part (NULL: there is none) and writes a PNG, atomically like mesh_write. `placed`:
// NULL, or as in output_open_new.
bool offscreen_save(
    struct offscreen *offscreen, const struct surface *surface, const char *path, char *placed,
    struct problem *problem);

void offscreen_close(struct offscreen *offscreen);
