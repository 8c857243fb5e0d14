#include "app/picture/drawable.h"

// The pixels of the picture that are drawn.
VkRect2D drawing_within(const struct picture *picture, const struct scene *scene)
{
    const VkRect2D all = { .extent = { picture->width, picture->height } };
    return scene->within.extent.width > 0 ? scene->within : all;
}

void drawing_set_area(const struct drawing *drawing, VkRect2D area)
{
    const VkViewport viewport = {
        .x = (float)area.offset.x,
        .y = (float)area.offset.y,
        .width = (float)area.extent.width,
        .height = (float)area.extent.height,
        .maxDepth = 1,
    };
    vkCmdSetViewport(drawing->cmd, 0, 1, &viewport);
    const VkRect2D inside = picture_area(drawing->picture, area);
    const VkRect2D within = drawing_within(drawing->picture, drawing->scene);
    const VkRect2D both = picture_both(inside, within);
    vkCmdSetScissor(drawing->cmd, 0, 1, &both);
}
