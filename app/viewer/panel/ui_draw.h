// Draws the layout of ui.h over a finished picture.
#pragma once

#include "app/picture/pipeline.h"
#include "app/viewer/panel/ui.h"

struct ui_draw {
    VkSampler sampler;
    struct pipeline pipeline;
    bool linear;
    struct image glyphs;
    uint32_t generation; // ui_glyphs' generation of the glyphs on the device
    struct buffer vertices, indices;
};

// Prepares for targets of `format`. `linear`: the format encodes sRGB by itself.
bool ui_draw_create(
    struct gpu *gpu, VkFormat format, bool linear, struct ui_draw *out, struct problem *problem);
void ui_draw_destroy(struct gpu *gpu, struct ui_draw *draw);

// The part of a window of size `window` that the panel leaves to the scene.
VkRect2D ui_draw_area(const struct ui *ui, const struct settings *settings, VkExtent2D window);

// Uploads glyphs and vertices to the device. The frame before must have finished.
bool ui_draw_prepare(struct gpu *gpu, struct ui_draw *draw, struct ui *ui, struct problem *problem);

// Records the drawing, within vkCmdBeginRendering of a target of `extent` pixels.
void ui_draw_record(
    const struct ui_draw *draw, VkCommandBuffer cmd, struct ui *ui, VkExtent2D extent);
