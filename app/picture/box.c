#include "app/picture/drawable.h"
#include "compute/compaction/method.h"
#include "shaders.h"

static bool box_is_drawn(const struct drawing *drawing)
{
    // The scene of a picture that is finished later has no lists any more.
    const struct view *view = drawing->scene->view;
    const bool tiles = view->show == SHOW_LEVELS && view->method && method_tiles(view->method);
    return view->box && (!(tiles || view->show == SHOW_ATLAS) || view->draw == DRAW_RAYS);
}

static void box_draw(const struct drawing *drawing, const struct pipeline *pipeline)
{
    pipeline_use(pipeline, drawing->cmd, drawing->draft, NULL);
    vkCmdDraw(drawing->cmd, 72, 1, 0, 0);
}

const struct drawable drawable_box = {
    .pipeline = {
        .name = "box",
        .vertex = &shader_box_vert,
        .fragment = &shader_box_frag,
        .depth_test = true,
        .depth_kept = true,
        .blend = true,
    },
    .layer = LAYER_TRANSPARENT,
    .when = box_is_drawn,
    .draw = box_draw,
};
