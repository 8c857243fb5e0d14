#include "app/cli/drawing.h"

#include "app/base/progress.h"
#include "app/cli/option_table.h"
#include "app/cli/ray_parts.h"
#include "app/ranks/ranks.h"
#include "app/settings/table.h"
#include "compute/mesh/share.h"
#include "volumes/base/log.h"

#include <stdio.h>

static const uint32_t RAYS_SAMPLES = 4; // per pixel, without --samples

// Refuses --show levels if the method builds no HistoPyramid.
static bool drawing_has_levels(enum show show, const struct method *method, struct problem *problem)
{
    return show != SHOW_LEVELS || method->pyramid != PYRAMID_NONE ||
           problem_set(
               problem, PROBLEM_USAGE,
               "--show levels: %s builds no HistoPyramid; choose --method histopyramid or "
               "histopyramid-vec4",
               method->name);
}

// With several ranks each draws its share of the layers; rank 0 has the lowest.
static void drawing_share(struct parts_params *params)
{
    const struct ranks *all = ranks();
    if (all->count > 1) {
        params->some = true;
        share_layers(
            (uint32_t)all->rank + 1, (uint32_t)all->count, params->volume->dim[2] - 1,
            &params->from, &params->to);
    }
}

// Checks that settings have what they need, and fit --draw, and that the caster takes --method and
// --rounds.
static bool drawing_has_rays(const struct options *options, struct problem *problem)
{
    const struct view *view = &options->view;
    const bool rays = view->draw == DRAW_RAYS;
    const struct setting *named = NULL; // the message prefers an option with a value to a switch
    for (const struct setting *row = settings_table; row->size; row++) {
        if (rays && row->no_rays && setting_is_set(row, view)) {
            return problem_set(
                problem, PROBLEM_USAGE,
                "--draw rays: there are no triangles to draw; leave --%s out", row->option);
        }
        if (!setting_applies(row, view) && option_given(options, row->option)) {
            return problem_set(
                problem, PROBLEM_USAGE, "--%s needs %s", row->option, setting_needs[row->needs]);
        }
        if (!rays && row->rays_only && option_given(options, row->option) &&
            (!named || (row->value && !named->value))) {
            named = row;
        }
    }
    if (!rays) {
        return !named || problem_set(
                             problem, PROBLEM_USAGE, "--%s: %s; give --draw rays", named->option,
                             named->rays_only);
    }
    if (view->shadow && view_is_transparent(view)) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "transparent contours have no shadow: leave --shadow or --opacity out");
    }
    if (ranks()->count > 1) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "--draw rays: one process draws rays, not %d: draw triangles, or start one",
            ranks()->count);
    }
    // view without a display draws here. It accepts a method for triangles, as its window does.
    return command_id(options->command) == COMMAND_VIEW ||
           ray_rounds_allowed(options, view_caster(view), problem);
}

static uint32_t drawing_band_pixels(const struct offscreen_params *picture)
{
    const struct bands bands = bands_of(picture->width, picture->height);
    return cast_bordered(bands.columns, bands.rows);
}

// Creates what rays need. If the volume is one part, first uploads it to the device.
static bool drawing_open_rays(struct drawing *drawing, struct problem *problem)
{
    struct session *session = &drawing->session;
    const struct query query = { .every_brick = true, .load_only = true };
    const struct caster *caster = view_caster(&drawing->view);
    struct extract_totals totals;
    if ((parts_planned(session->parts)->count == 1 &&
         !session_each(session, &query, "uploading", NULL, NULL, &totals, problem)) ||
        !ray_parts_open(
            session, &session->cubes, caster, drawing_band_pixels(&drawing->picture),
            drawing->samples, &drawing->casting, problem) ||
        !casting_prepare(&drawing->casting, caster, drawing->view.method, problem)) {
        return false;
    }
    if (drawing->casting.in_parts && view_has_sections(&drawing->view)) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "--draw rays: sections need the volume on the device as one part: draw triangles");
    }
    return !drawing->view.shadow || casting_prepare_shadow(&drawing->casting, problem);
}

// Says which planes show nothing, or everything.
static void drawing_note_planes(const struct view *view, const struct placement *placement)
{
    for (int i = 0; i < 2 * PLANES_MOST; i++) {
        const bool cuts = i < PLANES_MOST;
        const struct plane one[PLANES_MOST] = {
            cuts ? view->clips[i] : view->sections[i - PLANES_MOST],
        };
        struct plane_span span;
        char text[PLANES_TEXT];
        if (!one->kind || one->moves || (cuts ? view->clip_off : view->section_off)) {
            continue;
        }
        plane_span(one, placement, &view->camera, &span);
        const char *remark = plane_remark(one, &span, cuts);
        if (remark) {
            log_note(
                "--%s %s: the plane %s", cuts ? "clip" : "section", planes_text(one, text), remark);
        }
    }
}

bool drawing_open(
    struct drawing *drawing, const char *path, const struct options *options,
    struct problem *problem)
{
    struct session *session = &drawing->session;
    struct offscreen_params *picture = &drawing->picture;
    session->draws = true;
    if (!drawing_has_rays(options, problem) ||
        !session_load(session, path, options, "drawn", problem)) {
        return false;
    }
    struct gpu *gpu = &session->gpu;
    struct parts_params params = session_parts_params(session, options);
    drawing_share(&params);
    drawing->view = options->view;
    picture->width = options->width ? options->width : 1280;
    picture->height = options->height ? options->height : 800;
    const bool rays = drawing->view.draw == DRAW_RAYS;
    if (rays) { // rays need no multisampled image
        drawing->samples = drawing->view.samples ? drawing->view.samples : RAYS_SAMPLES;
        drawing->view.samples = 1;
    } else if (!picture_samples(gpu, drawing->view.samples, &drawing->samples, problem)) {
        return false;
    }
    picture->samples = rays ? VK_SAMPLE_COUNT_1_BIT : drawing->samples;
    picture->volume = &session->volume;
    picture->cubes = &session->cubes;
    picture->occlusion = drawing->view.light == LIGHT_OCCLUSION;
    picture->planes = rays ? view_has_sections(&drawing->view) : view_has_planes(&drawing->view);
    offscreen_fit(gpu, picture);
    if (rays) {
        picture->at_once = 1; // a cast covers one band
        params.residents = 0; // parts are needed again for the samples at edges
    }
    params.reserve = offscreen_bytes(gpu, picture);
    if (rays) {
        const struct caster *caster = view_caster(&drawing->view);
        const uint32_t pixels = drawing_band_pixels(picture);
        params.reserve += drawing->view.shadow ? shadow_bytes(gpu, pixels) : 0;
        if (view_is_transparent(&drawing->view)) {
            params.reserve += casting_layers_bytes(gpu, options->method, pixels, drawing->samples);
        }
        ray_parts_plan(gpu, &caster, 1, options->method, pixels, drawing->samples, &params);
    }
    const uint64_t room = params.reserve; // bytes that the parts leave for the picture
    if (room >= GPU_TOO_MUCH) {
        const struct gpu_limits *limits = &gpu->limits;
        const uint64_t most =
            limits->image < limits->allocation ? limits->image : limits->allocation;
        return problem_set(
            problem, PROBLEM_LIMIT,
            "a picture of %ux%u needs an image of more than %.1f MiB, which this device does not "
            "make, with %.1f MiB free: ask for a smaller --size",
            picture->width, picture->height, (double)most / 1048576,
            (double)gpu_memory_free(gpu) / 1048576);
    }
    gpu->budget.reserve[PURPOSE_PICTURE] = room;
    struct problem why;
    if (!session_method(session, options->method, &drawing->view.method, problem) ||
        (!drawing->view.method->selects &&
         !drawing_has_levels(drawing->view.show, drawing->view.method, problem))) {
        return false;
    }
    if (!session_parts(session, options, &params, &why)) {
        char beside[120] = "";
        if (why.kind == PROBLEM_DEVICE_MEMORY) {
            snprintf(
                beside, sizeof beside,
                "beside the picture of %ux%u, which takes %.1f MiB (a smaller --size takes less), ",
                picture->width, picture->height, (double)room / 1048576);
        }
        return problem_set(problem, why.kind, "%s%s", beside, why.text);
    }
    drawing->view.further = options->iso_count - 1;
    for (uint32_t i = 0; i < options->iso_count; i++) {
        drawing->view.isos[i] = session_iso(session, &options->isos[i]);
    }
    if (!options->session_file) {
        drawing->view.auto_isos[0] = options->isos[0].kind == ISOVALUE_AUTO;
        view_show_signs(&drawing->view, &session->volume, &session->facts);
    }
    if (!offscreen_open(gpu, &drawing->view, picture, &drawing->offscreen, problem)) {
        return false;
    }
    view_grey(&drawing->view, &session->facts, drawing->offscreen.scene.grey);
    drawing_note_planes(&drawing->offscreen.view, &drawing->offscreen.placement);
    return !rays || drawing_open_rays(drawing, problem);
}

// Draws a part. If the picture leaves too little memory, a smaller part is extracted instead.
static bool
drawing_part(void *user, struct extract *extract, struct part *part, struct problem *problem)
{
    struct drawing *drawing = user;
    struct offscreen *offscreen = &drawing->offscreen;
    const enum show show = offscreen->view.show;
    const uint32_t parts = extract_totals(extract)->parts;
    struct problem why = { 0 };
    if (part->result->triangles == 0 && show == SHOW_SURFACE) {
        return true;
    }
    if (parts > 1 && (show == SHOW_ORDER || show == SHOW_LEVELS || show == SHOW_ATLAS)) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "--show %s needs the volume on the device as one part, but it is extracted in %u, each "
            "of which has a list of its own: reduce it (cubist convert --stride 2), or show the "
            "cells",
            show_names[show], parts);
    }
    // The legend counts bricks, so it needs a single part: one of several may begin within a brick.
    if (parts == 1) {
        legend_of(
            show, part->result, part->lists.method, false, drawing->session.volume.dim,
            &drawing->legend);
    }
    return drawing_has_levels(show, part->lists.method, problem) &&
           (offscreen_add(offscreen, drawing->contour, part->surface, &part->lists, &why) ||
            extract_again(extract, &why) || problem_set(problem, why.kind, "%s", why.text));
}

// Draws the caps and sections that are in a part.
static bool
drawing_planes(void *user, struct extract *extract, struct part *part, struct problem *problem)
{
    struct drawing *drawing = user;
    struct scene *scene = &drawing->offscreen.scene;
    struct problem why = { 0 };
    (void)part;
    scene->atlas = parts_atlas(drawing->session.parts);
    const bool fine = offscreen_add(&drawing->offscreen, 0, NULL, NULL, &why) ||
                      extract_again(extract, &why) ||
                      problem_set(problem, why.kind, "%s", why.text);
    scene->atlas = NULL;
    return fine;
}

static bool drawing_cast(struct drawing *drawing, struct problem *problem)
{
    struct casting *casting = &drawing->casting;
    bool rough = false;
    drawing->hits = 0;
    for (bool more = true; more;) {
        uint32_t hits;
        struct progress_meter meter;
        const struct progress progress = progress_to_terminal(&meter, "casting");
        const bool fine = offscreen_cast(
            &drawing->offscreen, casting, drawing->session.parts, &progress, &hits, &more, problem);
        progress_end(&meter);
        if (!fine) {
            return false;
        }
        drawing->hits += hits;
        rough = rough || (casting->has_edges && edges_overflowed(&casting->edges));
    }
    if (rough) {
        log_warn(
            "some edges are not smooth: the device has no memory for rays of all samples there");
    }
    return true;
}

bool drawing_draw(struct drawing *drawing, struct extract_totals *totals, struct problem *problem)
{
    const struct view *view = &drawing->view;
    struct query query = {
        .method = drawing->view.method,
        .every_brick = drawing->view.every_brick,
        .draws = true,
    };
    memcpy(drawing->offscreen.view.isos, view->isos, sizeof view->isos);
    *totals = (struct extract_totals){ 0 };
    if (view->draw == DRAW_RAYS) {
        return drawing_cast(drawing, problem);
    }
    bool fine = true;
    for (bool more = true; fine && more;) {
        uint64_t triangles = 0;
        for (uint32_t i = 0; fine && i < view_contours(view); i++) {
            drawing->contour = i;
            query.iso = view->isos[i];
            fine =
                !view_shows(view, i) ||
                session_each(
                    &drawing->session, &query, "drawing", drawing_part, drawing, totals, problem) ||
                session_contour_failed(query.iso, i, view_contours(view), problem);
            triangles += totals->triangles;
            totals->triangles = 0;
        }
        totals->triangles = triangles;
        if (fine && drawing->picture.planes) { // also in parts that the isovalues miss
            const struct query load = { .method = query.method,
                                        .every_brick = true,
                                        .load_only = true };
            struct extract_totals loaded;
            fine = session_each(
                &drawing->session, &load, "drawing", drawing_planes, drawing, &loaded, problem);
        }
        fine = fine && offscreen_finish(&drawing->offscreen, &more, problem);
    }
    return fine;
}

bool drawing_close(struct drawing *drawing, bool fine, struct problem *problem)
{
    casting_destroy(&drawing->casting);
    offscreen_close(&drawing->offscreen);
    return session_close(&drawing->session, fine, problem);
}
