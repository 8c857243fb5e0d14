#include "app/settings/view.h"

#include "compute/casting/caster.h"
#include "volumes/cubes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const background_names[BACKGROUND_COLOUR] = { "dark", "light", "white", "transparent" };
const char *const look_names[LOOKS] = { "bone", "clay", "scan" };
const char *const show_names[SHOWS_MOST] = { "surface", "bricks", "cells", "order", "levels" };
const char *const draw_names[DRAWS] = { "triangles", "rays" };
const char *const cap_names[CAPS] = { "solid", "values", "none" };
const char *const interpolation_names[INTERPOLATIONS] = { "linear", "nearest" };
const char *const light_names[LIGHTS] = { "occlusion", "off" };

static const float LEAST_CELLS = 3; // see view_least

const struct caster *view_caster(const struct view *view)
{
    return view->caster ? view->caster : caster_default();
}

void view_cuts(const struct view *view, const struct placement *placement, struct cuts *out)
{
    static const struct plane none[PLANES_MOST];
    planes_resolve(view->clip_off ? none : view->clips, placement, &view->camera, out);
    out->all = view->clip_all;
}

static bool view_has_caps(const struct view *view)
{
    return view->clips[0].kind && !view->clip_off && view->cap != CAP_NONE;
}

bool view_has_values(const struct view *view)
{
    return view->sections[0].kind || (view->cap == CAP_VALUES && view_has_caps(view));
}

bool view_has_planes(const struct view *view)
{
    return view->sections[0].kind || view_has_caps(view);
}

void view_place(struct view *view, const struct volume *volume, struct placement *out)
{
    if (!view->up_is_set) {
        view->up = up_of(volume);
    }
    placement_of(volume, view->up, out);
}

void view_fit_volume(
    struct view *view, const struct placement *placement, float width, float height)
{
    camera_fit(&view->camera, placement->corners, 8, 0, width, height);
}

// Like cubes_outline, but the points are in scene space.
static size_t view_outline(
    const struct placement *placement, const struct cubes *cubes, double iso, float (**out)[3])
{
    const float(*model)[4] = placement->model;
    float(*points)[3];
    const size_t count = cubes_outline(cubes, placement->dim, iso, &points);
    for (size_t i = 0; i < count; i++) {
        const float at[3] = { points[i][0], points[i][1], points[i][2] };
        for (int r = 0; r < 3; r++) {
            points[i][r] =
                model[0][r] * at[0] + model[1][r] * at[1] + model[2][r] * at[2] + model[3][r];
        }
    }
    *out = points;
    return count;
}

// The least length that a fitted picture shows to each side: see camera_fit.
static float view_least(const struct placement *placement)
{
    const float(*model)[4] = placement->model;
    float cell = 0; // the longest side of a cell
    for (int c = 0; c < 3; c++) {
        cell = fmaxf(cell, hypotf(hypotf(model[c][0], model[c][1]), model[c][2]));
    }
    return LEAST_CELLS * cell;
}

void view_fit_surface(
    struct view *view, const struct placement *placement, const struct cubes *cubes, float width,
    float height)
{
    float(*points)[3];
    const size_t count = view_outline(placement, cubes, view->iso, &points);
    if (count == 0) {
        view_fit_volume(view, placement, width, height);
        return;
    }
    camera_fit(
        &view->camera, (const float(*)[3])points, count, view_least(placement), width, height);
    free(points);
}

void view_fit_motion(
    struct view *view, const struct placement *placement, const struct cubes *cubes, double iso_end,
    float turn, float width, float height)
{
    const int steps = iso_end == view->iso ? 0 : 8; // other surfaces lie between those of the steps
    float(*all)[3] = NULL;
    size_t count = 0;
    for (int step = 0; step <= steps; step++) {
        const double share = steps ? (double)step / steps : 0;
        float(*points)[3];
        const size_t found =
            view_outline(placement, cubes, view->iso * (1 - share) + iso_end * share, &points);
        if (found > 0) {
            float(*more)[3] = realloc(all, (count + found) * sizeof *all);
            if (more) {
                memcpy(more + count, points, found * sizeof *more);
                count += found;
                all = more;
            }
            free(points);
        }
    }
    const bool none = count == 0;
    const float(*at)[3] = none ? placement->corners : (const float(*)[3])all;
    camera_fit_turning(
        &view->camera, at, none ? 8 : count, view_least(placement), turn, width, height);
    free(all);
}

void view_begin(
    struct view *view, const struct placement *placement, const struct cubes *cubes, float width,
    float height)
{
    const struct view_start *start = &view->start;
    struct camera *camera = &view->camera;
    const bool ortho = camera->ortho;
    camera_reset(camera);
    camera->ortho = ortho;
    if (start->has_pose) {
        pose_set(&start->pose, placement, camera);
        return;
    }
    if (start->has_direction) {
        const double radians = acos(-1) / 180;
        camera_look(camera, (float)(start->azimuth * radians), (float)(start->elevation * radians));
    }
    view_fit_surface(view, placement, cubes, width, height);
    camera_approach(camera, start->zoom > 0 ? start->zoom : 1);
}
