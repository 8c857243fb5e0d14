// Draws the hits of a cast (compute/casting) as the surface: in the same light and at the same
// depth as triangles, so that all that is drawn hides each other. A kernel finds the colour of each
// hit; the draw then puts them into the picture.
#pragma once

#include "app/picture/light.h"
#include "app/settings/camera.h"
#include "compute/casting/casting.h"

enum cast_show_kernel { CAST_SHOW_HITS, CAST_SHOW_EDGES, CAST_SHOW_KERNELS };

// Zero-initialised means empty.
struct cast_show {
    struct kernel kernels[CAST_SHOW_KERNELS][2]; // without and with occlusion
    struct kernel mean;                          // of the samples of pixels at edges
};

bool cast_show_create(struct gpu *gpu, struct cast_show *out, struct problem *problem);
void cast_show_destroy(struct gpu *gpu, struct cast_show *show);

// Records the colours of the hits of a cast, which may be of an earlier submission, and that they
// can be drawn. `block`: the picture_block. `light`: recorded before (light_record); NULL without
// occlusion.
void cast_show_shade(
    struct cast_show *show, struct run *run, const struct buffer *block,
    const struct casting *casting, const struct cast *cast, const struct light *light);

// Where a cast stands in a picture: its first pixel, and the side in pixels of the square that a
// ray is for.
struct cast_place {
    int32_t x, y;
    uint32_t scale; // a power of two, below 8
};

// The rays of a picture of width x height pixels. `light`: NULL, or the way to the key light.
void cast_show_rays(
    const struct camera *camera, const struct placement *placement, uint32_t width, uint32_t height,
    struct rays *out, struct rays_light *light);
