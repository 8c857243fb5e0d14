#include "app/picture/planes.h"

#include "app/picture/drawable.h"
#include "shaders.h"

#include <math.h>
#include <string.h>

bool planes_are_shown(const struct scene *scene)
{
    return scene->placement && scene->atlas && scene->view->show == SHOW_SURFACE &&
           (scene->by_rays ? view_has_sections(scene->view) : view_has_planes(scene->view));
}

// Whether the planes are the same but for rounding.
static bool planes_equal(const float a[4], const float b[4])
{
    bool equal = true;
    for (int k = 0; k < 4; k++) {
        equal = equal && fabsf(a[k] - b[k]) < 1e-4f;
    }
    return equal;
}

// Adds the planes that cut. Those that occur twice count once.
static void planes_add_caps(const struct cuts *cuts, struct section_params *out)
{
    out->all = cuts->all;
    for (uint32_t i = 0; i < cuts->count; i++) {
        bool twice = false;
        for (uint32_t j = 0; j < out->count; j++) {
            twice = twice || planes_equal(cuts->at[i], out->planes[j]);
        }
        memcpy(out->planes[out->count], cuts->at[i], sizeof cuts->at[i]);
        out->count += !twice;
    }
    out->caps = out->count;
}

void planes_params(
    const struct scene *scene, VkRect2D pixels, uint32_t samples, struct section_params *out)
{
    const struct view *view = scene->view;
    struct cuts cuts;
    *out = (struct section_params){
        .x = pixels.offset.x - scene->area.offset.x,
        .y = pixels.offset.y - scene->area.offset.y,
        .width = pixels.extent.width,
        .height = pixels.extent.height,
        .samples = samples,
        .values = view->cap == CAP_VALUES,
        .greys = scene_greys(scene),
    };
    cast_show_rays(
        &view->camera, scene->placement, scene->area.extent.width, scene->area.extent.height,
        &out->rays, NULL);
    scene_cuts(scene, &cuts);
    const uint32_t cut = cuts.contours;
    if (view->cap != CAP_NONE && !scene->by_rays) { // rays have caps of their own
        planes_add_caps(&cuts, out);
    }
    planes_resolve(view->sections, scene->placement, &view->camera, &cuts);
    cuts.count = view_has_sections(view) ? cuts.count : 0;
    memcpy(out->planes[out->count], cuts.at, cuts.count * sizeof cuts.at[0]);
    out->count += cuts.count;
    for (uint32_t i = 0; i < view_contours(view); i++) {
        if (view_shows(view, i)) {
            out->isos[out->contours] = view->isos[i];
            out->cut[out->contours] = cut >> i & 1 && view->transparencies[i] == 0;
            out->colours[out->contours++] = i;
        }
    }
}

static bool planes_are_drawn(const struct drawing *drawing)
{
    return planes_are_shown(drawing->scene) && drawing->section->width > 0;
}

static void planes_bind(const struct drawing *drawing, struct binding table[BINDINGS])
{
    table[BINDING_COLOURS] = (struct binding){ &drawing->section->colours };
}

static void planes_draw(const struct drawing *drawing, const struct pipeline *pipeline)
{
    const struct section *section = drawing->section;
    const VkRect2D area = {
        .offset = { section->x + drawing->scene->area.offset.x,
                    section->y + drawing->scene->area.offset.y },
        .extent = { section->width, section->height },
    };
    const struct plane_push push = {
        .x = area.offset.x,
        .y = area.offset.y,
        .columns = section->width,
        .samples = section->samples,
        .by_sample = !drawing->draft && drawing->picture->samples > VK_SAMPLE_COUNT_1_BIT,
    };
    drawing_set_area(drawing, area);
    pipeline_use(pipeline, drawing->cmd, drawing->draft, &push);
    vkCmdDraw(drawing->cmd, 3, 1, 0, 0);
}

const struct drawable drawable_planes = {
    .pipeline = {
        .name = "planes",
        .vertex = &shader_whole_vert,
        .fragment = &shader_plane_frag,
        .depth_test = true,
        .blend = true,
    },
    .late = true,
    .layer = LAYER_OPAQUE,
    .when = planes_are_drawn,
    .bind = planes_bind,
    .draw = planes_draw,
};
