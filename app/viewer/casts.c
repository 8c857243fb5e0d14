#include "app/viewer/casts.h"

#include "app/viewer/bindings.h"
#include "app/viewer/room.h"
#include "shaders/shared/casting.h"

void casts_drop(struct viewer *viewer)
{
    struct casts *casts = &viewer->casts;
    casting_destroy(&casts->casting);
    casts->method = NULL;
    casts->rows = 0;
}

static bool casts_give_up(void *user)
{
    struct viewer *viewer = user;
    const bool had = viewer->casts.casting.gpu;
    if (viewer->settings.view.draw == DRAW_RAYS) {
        return false;
    }
    casts_drop(viewer);
    return had;
}

void casts_offer(struct viewer *viewer)
{
    budget_offer(&viewer->gpu.budget, GIVE_UP_CASTING, casts_give_up, viewer);
}

// Back to triangles, which stay until rays are asked for again.
static void casts_refuse(struct viewer *viewer, const struct problem *why)
{
    char hint[BINDINGS_HINT];
    struct problem shown;
    bindings_hint("rays", "tries again.", hint);
    problem_set(
        &shown, why->kind, "The surface is drawn as triangles, not by rays: %s.%s%s", why->text,
        *hint ? " " : "", hint);
    casts_drop(viewer);
    viewer->settings.view.draw = DRAW_TRIANGLES;
    undo_amend(&viewer->undo, &viewer->settings.view);
    viewer_complain(viewer, &shown);
    viewer_redraw(viewer);
}

// Whether what casts need is of the open volume, with room for so many rays.
static bool casts_fits(const struct viewer *viewer, uint32_t rays)
{
    const struct casts *casts = &viewer->casts;
    const struct document *document = viewer->document;
    const struct casting *casting = &casts->casting;
    return casting->gpu && casting->atlas == parts_atlas(document->parts) &&
           casts->cubes == document->cubes.serial && casting->pixels >= rays &&
           casting->pixels / 2 <= rays;
}

// Makes what is missing. A method that cannot compact rays is replaced, and a message says so.
static bool casts_make(struct viewer *viewer, uint32_t rays, struct problem *problem)
{
    struct casts *casts = &viewer->casts;
    const struct document *document = viewer->document;
    const struct view *view = &viewer->settings.view;
    const struct caster *caster = view_caster(view);
    if (!casts_fits(viewer, rays)) {
        casts_drop(viewer);
        if (!casting_create(
                &viewer->gpu, parts_atlas(document->parts), &document->cubes, caster, rays,
                viewer->screen.renderer.samples, &casts->casting, problem)) {
            return false;
        }
        casts->cubes = document->cubes.serial;
    }
    if (view->shadow && !casting_prepare_shadow(&casts->casting, problem)) {
        if (!problem_of_size(problem->kind)) {
            return false;
        }
        viewer->settings.view.shadow = false;
        viewer_say(viewer, "There is no memory for shadows.");
    }
    casts->prepared = view->method;
    if (!casting_prepare(&casts->casting, caster, view->method, problem)) {
        casts->prepared = NULL;
        if (problem->kind != PROBLEM_UNSUPPORTED ||
            !casting_prepare(&casts->casting, caster, NULL, problem)) {
            return false;
        }
        viewer_say(
            viewer, "%s cannot compact rays: %s does it.", view->method->name,
            method_default()->name);
    }
    casts->caster = caster;
    casts->method = view->method;
    return true;
}

bool casts_fit(struct viewer *viewer, struct problem *problem)
{
    struct casts *casts = &viewer->casts;
    const struct document *document = viewer->document;
    const VkExtent2D size = viewer_area(viewer).extent;
    const uint32_t rays = cast_bordered(size.width, size.height);
    struct problem why = { 0 };
    if (viewer->settings.view.draw != DRAW_RAYS || !document) {
        return true;
    }
    if (!document_whole(document)) {
        casts_drop(viewer);
        if (!viewer->opening.document) { // else its memory is given to another volume
            problem_set(
                &why, PROBLEM_LIMIT,
                "in the window rays need the volume on the device as one part, and %s is there in "
                "several (cubist render --draw rays draws it)",
                document->name);
            casts_refuse(viewer, &why);
        }
        return true;
    }
    const bool fits = casts_fits(viewer, rays);
    const struct view *view = &viewer->settings.view;
    const bool shades = casts->casting.has_shadow || !view->shadow;
    if (fits && shades && casts->method == view->method && casts->caster == view_caster(view)) {
        return true;
    }
    bool fine;
    do {
        fine = casts_make(viewer, rays, &why);
    } while (!fine && why.kind == PROBLEM_DEVICE_MEMORY && room_make(viewer));
    if (fine) {
        viewer_redraw(viewer);
    } else if (viewer->gpu.lost || why.kind == PROBLEM_INTERRUPTED) {
        *problem = why;
        return false;
    } else {
        casts_refuse(viewer, &why);
    }
    return true;
}

// ---- a frame ----

// A band goes over the whole width of the picture.
static void casts_set_band(struct casts *casts, struct scene *scene)
{
    const uint32_t height = scene->area.extent.height, left = height - casts->rows;
    casts->begin = casts->rows;
    casts->rows += drafts_rows(&casts->drafts, left, CAST_TILE);
    scene->within = scene->area;
    scene->within.offset.y += (int32_t)casts->begin;
    scene->within.extent.height = casts->rows - casts->begin;
    scene_set_cast(scene, scene->within, 1);
}

enum due_picture
casts_record(struct viewer *viewer, struct run *run, struct scene *scene, enum due_picture picture)
{
    struct casts *casts = &viewer->casts;
    const struct schedule *schedule = &viewer->schedule;
    const VkExtent2D size = scene->area.extent;
    const bool draft = picture == PICTURE_DRAFT;
    // Over a draft of the same view.
    const bool bands = !draft && schedule->picture_is_draft && !schedule->picture_is_old &&
                       !viewer->params->exit_after;
    scene->casting = &casts->casting;
    casts->recorded = true;
    if (bands) {
        casts_set_band(casts, scene);
    } else {
        const uint64_t pixels = (uint64_t)size.width * size.height;
        const uint32_t scale =
            draft && viewer->gpu.software ? drafts_scale(&casts->drafts, pixels) : 1;
        casts->begin = 0;
        casts->rows = draft ? 0 : size.height;
        scene_set_cast(scene, scene->area, scale);
    }
    scene->cast.method = casts->prepared;
    casts->cast = scene->cast;
    renderer_cast(&viewer->screen.renderer, scene, run);
    const uint32_t border = 2 * scene->cast.border;
    if (casts->begin == 0) {
        casts->so_far = (struct cast_times){
            .caster = scene->cast.caster->name,
            .iso = scene->cast.iso,
            .scale = scene->cast_place.scale,
            .rays = { scene->cast.width - border, 0 },
        };
    }
    casts->so_far.rays[1] += scene->cast.height - border;
    casts->complete = draft || casts->rows == size.height;
    return casts->complete ? picture : PICTURE_DRAFT;
}

static double casts_add_stages(
    struct casts *casts, const struct stopwatch *timer, const double ms[STOPWATCH_STAGES])
{
    static const struct {
        enum stage_kind kind;
        enum cast_stage stage;
    } rows[] = {
        { STAGE_UPDATE, CAST_STAGE_PREPARE },  { STAGE_GENERATE, CAST_STAGE_PREPARE },
        { STAGE_MARCH, CAST_STAGE_MARCH },     { STAGE_COMPACTION, CAST_STAGE_COMPACTION },
        { STAGE_TRAVERSE, CAST_STAGE_MARCH },  { STAGE_INTERSECT, CAST_STAGE_MARCH },
        { STAGE_TAIL, CAST_STAGE_TAIL },       { STAGE_POINTS, CAST_STAGE_POINTS },
        { STAGE_PICTURE, CAST_STAGE_PICTURE },
    };
    double sum = 0;
    for (uint32_t i = 0; i < timer->count; i++) {
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            if (timer->stages[i].kind == rows[k].kind) {
                casts->so_far.ms[rows[k].stage] += ms[i];
                sum += ms[i];
            }
        }
    }
    return sum;
}

static void casts_add_rounds(struct casts *casts)
{
    struct cast_times *times = &casts->so_far;
    struct cast_rounds rounds;
    if (!casts->cast.caster->wavefront) {
        return;
    }
    casting_rounds(&casts->casting, &casts->cast, &rounds);
    times->round_count = rounds.count < CAST_TIMES_ROUNDS ? rounds.count : CAST_TIMES_ROUNDS;
    for (uint32_t i = 0; i <= times->round_count; i++) {
        times->in_round[i] += rounds.rays[i];
    }
}

void casts_collect(struct viewer *viewer, const double ms[STOPWATCH_STAGES])
{
    struct casts *casts = &viewer->casts;
    struct cast_times *times = &casts->so_far;
    uint32_t hits;
    struct problem why = { 0 };
    if (!casts->recorded) {
        return;
    }
    casts->recorded = false;
    bool again;
    if (!casting_collect(&casts->casting, &hits, &why) ||
        !casting_again(&casts->casting, &again, &why)) {
        casts_refuse(viewer, &why);
        return;
    }
    if (again) { // not all edges were smooth
        viewer_redraw(viewer);
    }
    const double sum = casts_add_stages(casts, &viewer->frame.timer, ms);
    times->hits += hits;
    casts_add_rounds(casts);
    if (casts->rows == 0) {
        const double cast = cast_times_sum(times) - times->ms[CAST_STAGE_PICTURE];
        drafts_note(
            &casts->drafts, times->scale, (uint64_t)times->rays[0] * times->rays[1], cast,
            viewer->meters.gpu_ms - cast);
    } else {
        drafts_note_band(&casts->drafts, casts->rows - casts->begin, sum);
    }
    if (casts->complete) {
        casts->last = *times;
        viewer_remember_times(viewer, cast_times_sum(times));
        schedule_redraw(&viewer->schedule, 2); // the panel shows them
    }
    if (casts->complete && casts->rows > 0) {
        drafts_note_picture(&casts->drafts, cast_times_sum(times));
        schedule_time(&viewer->schedule, DRAW_RAYS, cast_times_sum(times));
    }
}
