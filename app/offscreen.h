// The viewer's picture without a window.
#pragma once

#include "app/isovalue.h"
#include "compute/extraction/extraction.h"

struct offscreen_params {
    uint32_t width, height; // pixels
    bool transparent;       // background alpha 0
    bool wireframe;
};

// Draws a whole surface as the viewer would on opening (same camera, light and background) and
// writes a PNG, atomically like mesh_write.
bool offscreen_render(
    struct gpu *gpu, const struct surface *surface, const struct volume *volume,
    const struct offscreen_params *params, const char *path, struct problem *problem);
