// Draws the hits of a cast (compute/casting) as the surface: in the same light and at the same
// depth as triangles, so that all that is drawn hides each other.
#pragma once

#include "app/picture/camera.h"
#include "app/picture/light.h"
#include "compute/casting/casting.h"

// Zero-initialised means empty.
struct cast_show {
    struct descriptors descriptors;
    VkPipelineLayout layout;
    VkPipeline plain, occluded;
    uint64_t bound[6]; // by the order of its bindings: the serials of the buffers
};

// For pictures of `format`, with one sample per pixel.
bool cast_show_create(
    struct gpu *gpu, VkFormat format, struct cast_show *out, struct problem *problem);
void cast_show_destroy(struct gpu *gpu, struct cast_show *show);

// Binds what is drawn; before rendering begins, and while nothing that draws it is in flight.
// `light` is NULL without occlusion.
void cast_show_bind(
    struct gpu *gpu, struct cast_show *show, const struct casting *casting,
    const struct light *light);

// Where a cast stands in a picture: its first pixel, and the side in pixels of the square that a
// ray is for.
struct cast_place {
    int32_t x, y;
    uint32_t scale; // a power of two, below 8
};

// Records the draw of a cast.
struct surface_push;
void cast_show_draw(
    const struct cast_show *show, VkCommandBuffer cmd, const struct surface_push *surface,
    const struct casting *casting, const struct cast *cast, const struct cast_place *place,
    bool occluded);

// The rays of a picture of width x height pixels. `light`: NULL, or the way to the key light.
void cast_show_rays(
    const struct camera *camera, const struct placement *placement, uint32_t width, uint32_t height,
    struct rays *out, struct rays_light *light);
