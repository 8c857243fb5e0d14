// Pictures of how a method works: active bricks as boxes, active cells as points, in the colour of
// their place in the list if asked for, and the levels of the HistoPyramid. They are drawn from the
// lists on the device, which the host never sees (compute/extraction/lists.h).
#pragma once

#include "app/settings/placement.h"
#include "app/settings/view.h"
#include "compute/extraction/lists.h"
#include "compute/gpu/descriptors.h"

#define LISTED_BINDINGS 8

// Owned by the renderer.
struct listed {
    struct descriptors descriptors;
    VkPipelineLayout layout;
    uint64_t bound[LISTED_BINDINGS]; // the buffer_place of each binding
};

// For one number of samples per pixel.
struct listed_pipelines {
    VkPipeline bricks, cells, levels;
};

bool listed_create(struct gpu *gpu, struct listed *out, struct problem *problem);
void listed_destroy(struct gpu *gpu, struct listed *listed);
bool listed_create_pipelines(
    struct gpu *gpu, const struct listed *listed, VkFormat format, VkSampleCountFlagBits samples,
    struct listed_pipelines *out, struct problem *problem);
void listed_destroy_pipelines(struct gpu *gpu, const struct listed_pipelines *pipelines);

// What a view shows where it has these lists (NULL: none): the surface in place of what is not
// there.
enum show listed_shows(const struct view *view, const struct extraction_lists *lists);

// A picture of the lists. The matrices are of columns.
struct listed_scene {
    const struct view *view;
    const struct placement *placement;
    const struct extraction_lists *lists;
    float clip[4][4], projection[4][4]; // from grid units to clip space; from view space
    float normal[3][3];                 // from grid normals to view space
    float width, height;                // of the whole picture in pixels
    uint32_t samples;                   // per pixel
};

// Binds the lists. Outside of rendering, before listed_draw; drawings of other lists have ended.
void listed_bind(struct gpu *gpu, struct listed *listed, const struct extraction_lists *lists);

// Draws what the view shows; nothing for SHOW_SURFACE. During rendering, after the surface.
void listed_draw(
    const struct listed *listed, const struct listed_pipelines *pipelines, VkCommandBuffer cmd,
    const struct listed_scene *scene);

// The squares of the HistoPyramid's levels in a picture of so many pixels, from the base on, which
// is lowest: left, top, and side. Squares beyond the apex are not drawn.
#define LISTED_LEVELS 16
void listed_squares(float width, float height, float squares[LISTED_LEVELS][3]);
