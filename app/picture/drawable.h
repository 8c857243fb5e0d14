// What can be drawn into a picture: a row of the renderer's table each.
#pragma once

#include "app/picture/picture.h"
#include "app/picture/pipeline.h"
#include "app/picture/scene.h"
#include "shaders/shared/picture.h"

// Which sides of a surface are drawn, so that back faces that nobody can see cost nothing.
struct sides {
    VkCullModeFlags culled; // of the whole
    VkCullModeFlags again;  // if not 0: drawn once more, with this culled, within a rectangle
    VkRect2D within, whole; // scissors
};

// A scene that is being drawn.
struct drawing {
    VkCommandBuffer cmd;
    const struct picture *picture;
    const struct scene *scene;
    const struct light *light;
    bool lines;     // the device can draw lines of triangles
    bool draft;     // drawn with one sample per pixel
    bool occludes;  // the surroundings of the surface take light
    enum show show; // of the surface, or of lists that are there
    struct picture_block block;
    struct picture_push push; // of the surface
    struct sides sides;       // of the surface, without rays
};

// Drawn in this order; within a layer in that of the table.
enum layer {
    LAYER_BEHIND,      // once, before the first part of a scene; not in a transparent picture
    LAYER_OPAQUE,      // with each part
    LAYER_TRANSPARENT, // once, after the last part: where it is as near as the surface, the surface
                       // is seen, however it is divided
    LAYERS,
};

struct drawable {
    struct pipeline_params pipeline; // the renderer fills in the format, and the samples if not set
    enum layer layer;
    uint32_t shows; // bits by enum show: drawn where the scene, without rays, shows one of these
    bool (*when)(const struct drawing *drawing); // NULL: always
    // Enters what the shaders read beside the picture_block. NULL: nothing.
    void (*bind)(const struct drawing *drawing, struct binding table[BINDINGS]);
    // Records pipeline_use and draws. Viewport and scissor are those of the scene's area.
    void (*draw)(const struct drawing *drawing, const struct pipeline *pipeline);
};

extern const struct drawable drawable_background, drawable_box;
extern const struct drawable drawable_surface, drawable_surface_occluded, drawable_surface_lines;
extern const struct drawable drawable_bricks, drawable_cells, drawable_levels;
extern const struct drawable drawable_rays, drawable_rays_draft;

// The pixels of the picture that are drawn.
VkRect2D drawing_within(const struct picture *picture, const struct scene *scene);

// Sets viewport and scissor. The area may reach beyond the picture, and beyond what is drawn of it.
void drawing_set_area(const struct drawing *drawing, VkRect2D area);
