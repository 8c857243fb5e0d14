// What can be drawn into a picture. Each drawable is a row of the renderer's table.
#pragma once

#include "app/picture/picture.h"
#include "app/picture/pipeline.h"
#include "app/picture/scene.h"
#include "compute/casting/section.h"
#include "shaders/shared/picture.h"

// Which sides of a surface are drawn, so that back faces that nobody can see cost nothing.
struct sides {
    VkCullModeFlags culled; // faces that the first draw culls, over the whole area
    VkCullModeFlags again;  // not 0: a second draw, within a rectangle, culls these faces
    VkRect2D within, whole; // scissors of the second and the first draw
};

// The shaders of a drawable for a way to cut.
struct cut_shaders {
    const struct shader *vertex, *fragment;
};

// A scene that is being drawn.
struct drawing {
    VkCommandBuffer cmd;
    const struct picture *picture;
    const struct scene *scene;
    const struct light *light;
    const struct section *section; // caps and sections
    bool lines;                    // the device can draw triangle edges
    bool draft;                    // drawn with one sample per pixel
    bool occludes;                 // the surface is drawn with occlusion
    enum show show;                // the surface, or lists that are on the device
    struct cuts cuts;              // in grid units
    enum cut cut;
    struct picture_block block;
    struct picture_push push;          // of the surface
    struct sides sides[CONTOURS_MOST]; // of the contours; not set for rays
};

// Layers are drawn in this order. Within a layer, the order of the table counts.
enum layer {
    LAYER_BEHIND,      // once, before the first part of a scene; not in a transparent picture
    LAYER_OPAQUE,      // with each part
    LAYER_TRANSPARENT, // once, after the last part. So an equally near surface hides it, however
                       // the surface is divided into parts
    LAYERS,
};

struct drawable {
    struct pipeline_params pipeline; // the renderer fills in the format, and the samples if not set
    struct cut_shaders cut[CUTS];    // replace those of `pipeline`; NULL: planes do not cut it
    bool late;                       // made by renderer_prepare, for a scene that has planes
    enum layer layer;
    uint32_t shows; // bits by enum show: drawn if the scene shows one of these, without rays
    bool (*when)(const struct drawing *drawing); // NULL: always
    // Enters in `table` what the shaders read besides the picture_block. NULL: nothing.
    void (*bind)(const struct drawing *drawing, struct binding table[BINDINGS]);
    // Records pipeline_use and draws. Viewport and scissor are those of the scene's area.
    void (*draw)(const struct drawing *drawing, const struct pipeline *pipeline);
};

extern const struct drawable drawable_background, drawable_box;
extern const struct drawable drawable_surface, drawable_surface_occluded, drawable_surface_lines;
extern const struct drawable drawable_bricks, drawable_cells, drawable_levels, drawable_slices;
extern const struct drawable drawable_rays, drawable_rays_draft;
extern const struct drawable drawable_planes;

// The pixels of the picture that are drawn.
VkRect2D drawing_within(const struct picture *picture, const struct scene *scene);

// Sets viewport and scissor to an area, which may reach beyond the picture and drawing_within.
void drawing_set_area(const struct drawing *drawing, VkRect2D area);
