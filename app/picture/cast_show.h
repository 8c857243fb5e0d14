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
    struct descriptors descriptors;
    VkPipelineLayout layout;
    VkPipeline pipeline, draft; // draft: of squares of pixels that share a ray
    uint64_t bound[3];          // by the order of its bindings: the serials of the buffers
};

// For pictures of `format`, with one sample per pixel.
bool cast_show_create(
    struct gpu *gpu, VkFormat format, struct cast_show *out, struct problem *problem);
void cast_show_destroy(struct gpu *gpu, struct cast_show *show);

// Records the colours of the hits of a cast, which may be of an earlier submission, and that they
// can be drawn. `light`: recorded before (light_record); NULL without occlusion.
struct surface_push;
void cast_show_shade(
    struct cast_show *show, struct run *run, const struct surface_push *surface,
    const struct casting *casting, const struct cast *cast, const struct light *light);

// Binds what is drawn; before rendering begins, and while nothing that draws it is in flight.
void cast_show_bind(struct gpu *gpu, struct cast_show *show, const struct casting *casting);

// Where a cast stands in a picture: its first pixel, and the side in pixels of the square that a
// ray is for.
struct cast_place {
    int32_t x, y;
    uint32_t scale; // a power of two, below 8
};

// Records the draw of a cast whose hits have their colours.
void cast_show_draw(
    const struct cast_show *show, VkCommandBuffer cmd, const struct surface_push *surface,
    const struct casting *casting, const struct cast *cast, const struct cast_place *place);

// The rays of a picture of width x height pixels. `light`: NULL, or the way to the key light.
void cast_show_rays(
    const struct camera *camera, const struct placement *placement, uint32_t width, uint32_t height,
    struct rays *out, struct rays_light *light);
