#include "app/picture/scene.h"

#include <math.h>
#include <string.h>

bool scene_is_transparent(const struct scene *scene)
{
    return scene->for_file && scene->view->background == BACKGROUND_TRANSPARENT;
}

// Whether contours show both signs of a value, as those of an orbital: V and -V. Then there is no
// solid: one encloses the values above, the other one those below.
static bool scene_shows_signs(const struct scene *scene)
{
    bool signs = false;
    for (uint32_t i = 0; i < view_contours(scene->view); i++) {
        for (uint32_t k = 0; k < i; k++) {
            const double iso = scene->contours[i].iso;
            signs |= iso != 0 && scene->contours[k].iso == -iso;
        }
    }
    return signs;
}

void scene_set_light(struct scene *scene, const struct cubes *cubes)
{
    const struct view *view = scene->view;
    struct cuts cuts;
    uint32_t lowest = 0; // the contour that encloses most
    scene->light = (struct light_source){ 0 };
    if (scene_shows_signs(scene)) {
        return;
    }
    for (uint32_t i = 0; i < view_contours(view); i++) {
        const double iso = scene->contours[i].iso;
        const bool solid = view_shows(view, i) && view->transparencies[i] == 0;
        if (solid && (!scene->light.cubes || iso < scene->light.iso)) {
            scene->light = (struct light_source){ cubes, iso };
            lowest = i;
        }
    }
    view_cuts(view, scene->placement, &cuts);
    if (cuts.contours >> lowest & 1) {
        scene->light.cuts = cuts;
    }
}

struct greys scene_greys(const struct scene *scene)
{
    return (struct greys){
        .black = scene->grey[0],
        .white = scene->grey[1],
        .nearest = scene->view->interpolate == INTERPOLATE_NEAREST,
    };
}

void scene_cuts(const struct scene *scene, struct cuts *out)
{
    view_cuts(scene->view, scene->placement, out);
    for (uint32_t i = 0; i < out->count; i++) {
        float *plane = out->at[i];
        float least = plane[3];
        for (int k = 0; k < 3; k++) {
            least += fminf(plane[k] * (float)(scene->placement->dim[k] - 1), 0);
        }
        plane[3] += least > -1e-4f ? 1 : 0;
    }
}

void scene_set_cast(struct scene *scene, VkRect2D pixels, uint32_t scale)
{
    const struct view *view = scene->view;
    struct cast *cast = &scene->cast;
    const bool full = scale == 1 && !scene->draft;
    const bool layered = view_is_transparent(view);
    const bool edges = full && scene->casting->edges.samples > 1;
    const bool shadow = view->shadow && !layered && // layers have no shadow
                        scene->casting->has_shadow;
    // Cast a border, so that edges and shadows do not depend on how a picture is divided.
    const uint32_t border = full && shadow ? CAST_BORDER : edges;
    pixels.offset.x -= (int32_t)border;
    pixels.offset.y -= (int32_t)border;
    pixels.extent.width += 2 * border;
    pixels.extent.height += 2 * border;
    *cast = (struct cast){
        .caster = view_caster(view),
        .method = view->method,
        .rounds = view->rounds,
        .x = (pixels.offset.x - scene->area.offset.x) / (int32_t)scale,
        .y = (pixels.offset.y - scene->area.offset.y) / (int32_t)scale,
        .width = (pixels.extent.width + scale - 1) / scale,
        .height = (pixels.extent.height + scale - 1) / scale,
        .edges = edges,
        .border = border,
        .shadow = shadow,
    };
    struct cuts cuts;
    scene_cuts(scene, &cuts);
    cast->plane_count = cuts.count;
    cast->caps = view->cap == CAP_NONE ? 0 : view->cap == CAP_VALUES ? CAPS_VALUES : CAPS_SOLID;
    cast->greys = scene_greys(scene);
    cast->clip_all = cuts.all;
    memcpy(cast->planes, cuts.at, sizeof cast->planes);
    if (layered) {
        struct cuts sections;
        planes_resolve(view->sections, scene->placement, &view->camera, &sections);
        cast->section_count = view_has_sections(view) ? sections.count : 0;
        memcpy(cast->sections, sections.at, sizeof cast->sections);
    }
    for (uint32_t i = 0; i < view_contours(view); i++) {
        if (view_shows(view, i)) {
            cast->clipped |= (cuts.contours >> i & 1) << cast->contours;
            cast->isos[cast->contours] = view->isos[i];
            cast->transparencies[cast->contours] = view->transparencies[i];
            cast->numbers[cast->contours++] = (uint8_t)i;
        }
    }
    if (cast->contours == 0) { // rays meet nothing
        cast->isos[0] = INFINITY;
    }
    scene->by_rays = true;
    scene->cast_place = (struct cast_place){ pixels.offset.x, pixels.offset.y, scale };
    cast_show_rays(
        &view->camera, scene->placement, scene->area.extent.width, scene->area.extent.height,
        &cast->rays, &cast->light);
    for (int i = 0; i < 3; i++) { // a ray goes through the centre of its square
        cast->rays.across[i] *= (float)scale;
        cast->rays.down[i] *= (float)scale;
    }
}
