#include "app/settings/view.h"

#include "compute/casting/caster.h"
#include "volumes/cubes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const background_names[BACKGROUND_COLOUR] = { "dark", "light", "white", "transparent" };
const char *const look_names[LOOKS] = { "bone", "clay", "scan" };
const char *const show_names[SHOWS_MOST] = { "surface", "bricks", "cells",
                                             "order",   "levels", "atlas" };
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

bool view_has_sections(const struct view *view)
{
    return view->sections[0].kind && !view->section_off;
}

bool view_has_values(const struct view *view)
{
    return view_has_sections(view) || (view->cap == CAP_VALUES && view_has_caps(view));
}

bool view_needs_facts(const struct view *view)
{
    return view_has_values(view) &&
           !(view->grey.low.kind == ISOVALUE_NUMBER && view->grey.high.kind == ISOVALUE_NUMBER);
}

void view_grey(const struct view *view, const struct volume_facts *facts, double out[2])
{
    static const struct grey first = { { ISOVALUE_PERCENTILE, 1 }, { ISOVALUE_PERCENTILE, 99 } };
    const struct grey *grey = view->grey.low.kind == ISOVALUE_AUTO ? &first : &view->grey;
    if (view_needs_facts(view) || grey != &first) {
        out[0] = isovalue_resolve(&grey->low, facts);
        out[1] = isovalue_resolve(&grey->high, facts);
    }
}

bool view_has_planes(const struct view *view)
{
    return view_has_sections(view) || view_has_caps(view);
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

uint32_t view_contours(const struct view *view)
{
    return view->further + 1;
}

bool view_shows(const struct view *view, uint32_t contour)
{
    return contour <= view->further && !view->hidden[contour] && view->transparencies[contour] < 1;
}

bool view_is_transparent(const struct view *view)
{
    bool some = false;
    for (uint32_t i = 0; i < view_contours(view); i++) {
        some = some || (view_shows(view, i) && view->transparencies[i] > 0);
    }
    return some;
}

static const struct colour view_colours[CONTOURS_MOST] = {
    { 0 },
    { true, { 0xd0, 0x62, 0x4a } },
    { true, { 0x5b, 0x94, 0xd0 } },
    { true, { 0x6d, 0xb5, 0x62 } },
    { true, { 0xd8, 0xb4, 0x3c } },
    { true, { 0x9a, 0x7b, 0xd0 } },
    { true, { 0x45, 0xb0, 0xa8 } },
    { true, { 0xd8, 0x86, 0xb4 } },
};

struct colour view_colour(const struct view *view, uint32_t contour)
{
    return view->colours[contour].set ? view->colours[contour] : view_colours[contour];
}

// Whether a contour before this one has the colour.
static bool view_has_colour(const struct view *view, uint32_t before, struct colour colour)
{
    bool found = false;
    for (uint32_t i = 0; i < before; i++) {
        const struct colour other = view_colour(view, i);
        found |= memcmp(&other, &colour, sizeof colour) == 0;
    }
    return found;
}

uint32_t view_first(const struct view *view)
{
    uint32_t first = 0;
    while (first <= view->further && !view_shows(view, first)) {
        first++;
    }
    return first <= view->further ? first : 0;
}

bool view_add(struct view *view, double iso)
{
    if (view->further + 1 == CONTOURS_MOST) {
        return false;
    }
    const uint32_t at = view->contour = ++view->further;
    view->isos[at] = iso;
    view->auto_isos[at] = view->hidden[at] = false;
    view->colours[at] = (struct colour){ 0 };
    view->transparencies[at] = 0;
    for (uint32_t i = 1; i < CONTOURS_MOST && view_has_colour(view, at, view_colour(view, at));
         i++) {
        view->colours[at] = view_colours[i];
    }
    return true;
}

void view_show_signs(
    struct view *view, const struct volume *volume, const struct volume_facts *facts)
{
    if (volume->orbital && view->further == 0 && view->auto_isos[0] && facts->min < -facts->iso) {
        view_add(view, -facts->iso);
        colour_parse("blue", &view->colours[1]);
        view->contour = 0;
    }
}

bool view_remove(struct view *view)
{
    if (view->further == 0) {
        return false;
    }
    for (uint32_t i = view->contour; i < view->further; i++) {
        view->isos[i] = view->isos[i + 1];
        view->auto_isos[i] = view->auto_isos[i + 1];
        view->colours[i] = view_colour(view, i + 1);
        view->transparencies[i] = view->transparencies[i + 1];
        view->hidden[i] = view->hidden[i + 1];
    }
    for (uint32_t i = 0; i < PLANES_MOST; i++) { // the numbers of the contours that planes cut
        struct plane *plane = &view->clips[i];
        const uint32_t below = (1u << view->contour) - 1, some = plane->only;
        plane->only = (uint8_t)((some & below) | (some >> 1 & ~below));
        if (some && !plane->only) {
            *plane = (struct plane){ 0 };
        }
    }
    const uint32_t last = view->further--;
    view->isos[last] = view->transparencies[last] = 0;
    view->auto_isos[last] = view->hidden[last] = false;
    view->colours[last] = (struct colour){ 0 };
    view->contour -= view->contour > view->further;
    return true;
}

// Appends the points of the surface at `iso` to *out, which is malloc'ed: like cubes_outline, but
// in scene space. Returns the new number of points.
static size_t view_outline(
    const struct placement *placement, const struct cubes *cubes, double iso, float (**out)[3],
    size_t before)
{
    const float(*model)[4] = placement->model;
    float(*points)[3];
    const size_t count = cubes_outline(cubes, placement->dim, iso, &points);
    float(*all)[3] = count > 0 ? realloc(*out, (before + count) * sizeof *all) : NULL;
    if (!all) {
        free(count > 0 ? points : NULL);
        return before;
    }
    for (size_t i = 0; i < count; i++) {
        const float at[3] = { points[i][0], points[i][1], points[i][2] };
        for (int r = 0; r < 3; r++) {
            all[before + i][r] =
                model[0][r] * at[0] + model[1][r] * at[1] + model[2][r] * at[2] + model[3][r];
        }
    }
    free(points);
    *out = all;
    return before + count;
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

// The points of all surfaces that the picture shows while isovalues go to `ends`. Free *out.
static size_t view_points(
    const struct view *view, const struct placement *placement, const struct cubes *cubes,
    const double *ends, float (**out)[3])
{
    size_t count = 0;
    *out = NULL;
    for (uint32_t i = 0; i < view_contours(view); i++) {
        const int steps = ends[i] == view->isos[i] ? 0 : 8; // other surfaces lie between these
        for (int step = 0; view_shows(view, i) && step <= steps; step++) {
            const double share = steps ? (double)step / steps : 0;
            const double iso = view->isos[i] * (1 - share) + ends[i] * share;
            count = view_outline(placement, cubes, iso, out, count);
        }
    }
    return count;
}

void view_fit_surface(
    struct view *view, const struct placement *placement, const struct cubes *cubes, float width,
    float height)
{
    float(*points)[3];
    const size_t count = view_points(view, placement, cubes, view->isos, &points);
    if (count == 0) {
        view_fit_volume(view, placement, width, height);
        return;
    }
    camera_fit(
        &view->camera, (const float(*)[3])points, count, view_least(placement), width, height);
    free(points);
}

void view_fit_motion(
    struct view *view, const struct placement *placement, const struct cubes *cubes,
    const double *ends, float turn, float width, float height)
{
    float(*points)[3];
    const size_t count = view_points(view, placement, cubes, ends, &points);
    const bool none = count == 0;
    const float(*at)[3] = none ? placement->corners : (const float(*)[3])points;
    camera_fit_turning(
        &view->camera, at, none ? 8 : count, view_least(placement), turn, width, height);
    free(points);
}

// How many planes have what they remove in front of what they keep.
static uint32_t view_cuts_seen(const struct view *view, const struct placement *placement)
{
    struct camera_matrices matrices;
    struct cuts cuts;
    uint32_t seen = 0;
    camera_matrices(&view->camera, 1, 1, &matrices);
    view_cuts(view, placement, &cuts);
    for (uint32_t i = 0; i < cuts.count; i++) {
        float away = 0;
        for (int k = 0; k < 9; k++) {
            away -= matrices.view[k / 3][2] * placement->normal[k % 3][k / 3] * cuts.at[i][k % 3];
        }
        seen += away > 0;
    }
    return seen;
}

// Turns the camera to the side from which most cuts are seen; of these, it prefers its own.
static void view_face_cuts(struct view *view, const struct placement *placement)
{
    const struct camera first = view->camera;
    struct camera best = first;
    uint32_t most = view_cuts_seen(view, placement);
    for (int i = 1; i < 8; i++) {
        const float azimuth = (i & 1 ? -1 : 1) * first.azimuth + (i & 2 ? acosf(-1) : 0);
        camera_look(&view->camera, azimuth, (i & 4 ? -1 : 1) * first.elevation);
        const uint32_t seen = view_cuts_seen(view, placement);
        best = seen > most ? view->camera : best;
        most = seen > most ? seen : most;
    }
    view->camera = best;
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
    } else {
        view_face_cuts(view, placement);
    }
    view_fit_surface(view, placement, cubes, width, height);
    camera_approach(camera, start->zoom > 0 ? start->zoom : 1);
}
