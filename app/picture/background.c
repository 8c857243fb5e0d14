#include "app/picture/drawable.h"
#include "shaders.h"

static void background_draw(const struct drawing *drawing, const struct pipeline *pipeline)
{
    const struct picture *picture = drawing->picture;
    const VkRect2D area = drawing->scene->area;
    // If only a part of a picture is drawn, the gradient still covers the whole picture.
    const bool part = area.offset.x < 0 || area.offset.y < 0 ||
                      area.extent.width > picture->width || area.extent.height > picture->height;
    const VkRect2D all = { .extent = { picture->width, picture->height } };
    drawing_set_area(drawing, part ? area : all);
    pipeline_use(pipeline, drawing->cmd, drawing->draft, NULL);
    vkCmdDraw(drawing->cmd, 3, 1, 0, 0);
}

const struct drawable drawable_background = {
    .pipeline = {
        .name = "background",
        .vertex = &shader_background_vert,
        .fragment = &shader_background_frag,
    },
    .layer = LAYER_BEHIND,
    .draw = background_draw,
};
