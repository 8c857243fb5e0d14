#include "app/picture/drawable.h"
#include "shaders.h"

static void rays_bind(const struct drawing *drawing, struct binding table[BINDINGS])
{
    casting_bind_hits(drawing->scene->casting, table);
}

static void rays_draw(const struct drawing *drawing, const struct pipeline *pipeline)
{
    const struct scene *scene = drawing->scene;
    const struct picture_push push = {
        .centre_x = drawing->push.centre_x - 2 * scene->cast_place.x,
        .centre_y = drawing->push.centre_y - 2 * scene->cast_place.y,
        .columns = scene->cast.width,
        .rows = scene->cast.height,
        .scale = scene->cast_place.scale,
    };
    pipeline_use(pipeline, drawing->cmd, drawing->draft, &push);
    vkCmdDraw(drawing->cmd, 6, casting_tiles(&scene->cast), 0, 0); // two triangles a tile
}

static bool rays_is_full(const struct drawing *drawing)
{
    return drawing->scene->casting && drawing->scene->cast_place.scale == 1;
}

static bool rays_is_draft(const struct drawing *drawing)
{
    return drawing->scene->casting && drawing->scene->cast_place.scale > 1;
}

const struct drawable drawable_rays = {
    .pipeline = {
        .name = "rays",
        .vertex = &shader_rays_vert,
        .fragment = &shader_rays_frag,
        .depth_test = true,
        .blend = true,
        .samples = VK_SAMPLE_COUNT_1_BIT,
    },
    .layer = LAYER_OPAQUE,
    .when = rays_is_full,
    .bind = rays_bind,
    .draw = rays_draw,
};

const struct drawable drawable_rays_draft = {
    .pipeline = {
        .name = "draft of rays",
        .vertex = &shader_rays_vert,
        .fragment = &shader_rays_draft_frag,
        .depth_test = true,
        .blend = true,
        .samples = VK_SAMPLE_COUNT_1_BIT,
    },
    .layer = LAYER_OPAQUE,
    .when = rays_is_draft,
    .bind = rays_bind,
    .draw = rays_draw,
};
