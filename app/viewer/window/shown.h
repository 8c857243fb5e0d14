// Draws the picture into the window's image, whatever format the display has.
#pragma once

#include "app/picture/picture.h"
#include "app/picture/pipeline.h"

struct shown {
    struct pipeline pipeline;
    bool linear;
};

// Prepares for targets of `format`. `linear`: the format encodes sRGB by itself.
bool shown_create(
    struct gpu *gpu, VkFormat format, bool linear, struct shown *out, struct problem *problem);
void shown_destroy(struct gpu *gpu, struct shown *shown);

// Records the drawing, within vkCmdBeginRendering of a target of the picture's size. The picture
// must have been made to be sampled. No earlier frame may be in flight.
void shown_record(
    struct gpu *gpu, struct shown *shown, VkCommandBuffer cmd, const struct picture *picture);
