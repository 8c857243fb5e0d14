// Draws the hits of a cast (compute/casting) as the surface, with the light and the depth that
// triangles have, so that hits and other drawables hide each other. A kernel computes the colour of
// each hit; a draw then puts the colours into the picture.
#pragma once

#include "app/picture/light.h"
#include "app/settings/camera.h"
#include "compute/casting/casting.h"

// CAST_SHOW_EDGES: also of the hits if the traits say `folds`.
enum cast_show_kernel { CAST_SHOW_HITS, CAST_SHOW_EDGES, CAST_SHOW_KERNELS };

// Zero-initialised means empty.
struct cast_show {
    struct kernel kernels[CAST_SHOW_KERNELS][2]; // without and with occlusion
    struct kernel mean[2]; // averages the samples of pixels at edges: without and with layers
};

bool cast_show_create(struct gpu *gpu, struct cast_show *out, struct problem *problem);
void cast_show_destroy(struct gpu *gpu, struct cast_show *show);

// Records the shading of the hits of a cast, and barriers so that they can be drawn. The cast may
// be from an earlier submission. `block`: the picture_block. `light`: recorded by light_record;
// NULL: no occlusion.
void cast_show_shade(
    struct cast_show *show, struct run *run, const struct buffer *block,
    const struct casting *casting, const struct cast *cast, const struct light *light);

// Records the mean of samples at edges whose rays have gone through layers; after
// casting_end_samples.
void cast_show_mean(
    struct cast_show *show, struct run *run, const struct buffer *block,
    const struct casting *casting);

// The position of a cast in a picture.
struct cast_place {
    int32_t x, y;   // its first pixel
    uint32_t scale; // side in pixels of the square that a ray is for: a power of two, below 8
};

// The rays of a picture of width x height pixels. `light`: NULL, or gets the way to the light.
void cast_show_rays(
    const struct camera *camera, const struct placement *placement, uint32_t width, uint32_t height,
    struct rays *out, struct rays_light *light);
