#include "app/viewer/window/shown.h"

#include "shaders.h"

bool shown_create(
    struct gpu *gpu, VkFormat format, bool linear, struct shown *out, struct problem *problem)
{
    *out = (struct shown){ .linear = linear };
    const struct pipeline_params params = {
        .name = "shown",
        .vertex = &shader_whole_vert,
        .fragment = &shader_shown_frag,
        .format = format,
    };
    return pipeline_create(gpu, &params, &out->pipeline, problem);
}

void shown_destroy(struct gpu *gpu, struct shown *shown)
{
    pipeline_destroy(gpu, &shown->pipeline);
    *shown = (struct shown){ 0 };
}

void shown_record(
    struct gpu *gpu, struct shown *shown, VkCommandBuffer cmd, const struct picture *picture)
{
    // Bytes stay as they are: the picture is stored as sRGB, and the window shows sRGB.
    const struct binding table[BINDINGS] = {
        [BINDING_DRAWN] = { .image = &picture->resolved, .view = !shown->linear },
    };
    descriptors_bind(gpu, &shown->pipeline.descriptors, table);
    const VkRect2D all = { .extent = { picture->width, picture->height } };
    const VkViewport viewport = {
        .width = (float)picture->width,
        .height = (float)picture->height,
        .maxDepth = 1,
    };
    pipeline_use(&shown->pipeline, cmd, false, NULL);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, &all);
    vkCmdDraw(cmd, 3, 1, 0, 0);
}
