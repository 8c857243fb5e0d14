#include "app/viewer/work/casts.h"

#include "app/settings/bindings.h"
#include "app/viewer/work/picture_memory.h"
#include "app/viewer/work/surfaces.h"
#include "shaders/shared/casting.h"
#include "volumes/base/clock.h"

#include <string.h>

static const double SLICE_MS = 10; // of work between frames before the next look at events

void casts_end(struct viewer *viewer)
{
    struct casts_parts *parts = &viewer->casts.parts;
    cast_pass_end(&parts->pass);
    parts->there = false;
}

void casts_drop(struct viewer *viewer)
{
    struct casts *casts = &viewer->casts;
    casts_end(viewer);
    casting_destroy(&casts->casting);
    casts->method = NULL;
    casts->rows = 0;
    kept_hits_clear(&viewer->gpu, &casts->keep);
    casts->shown = (struct cast){ 0 };
    casts->so_far = (struct cast_times){ 0 };
    casts->steady = false;
}

// Rays that are drawn need no more than the casting.
static bool casts_give_up(void *user)
{
    struct viewer *viewer = user;
    const bool had = viewer->casts.casting.gpu;
    if (viewer->settings.view.draw == DRAW_RAYS) {
        const uint64_t before = viewer->gpu.budget.allocated;
        kept_hits_clear(&viewer->gpu, &viewer->casts.keep);
        return viewer->gpu.budget.allocated < before;
    }
    casts_drop(viewer);
    return had;
}

void casts_offer(struct viewer *viewer)
{
    budget_offer(&viewer->gpu.budget, GIVE_UP_CASTING, casts_give_up, viewer);
}

// Back to triangles, which stay until rays are asked for again; a message says why.
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
    // In parts, the shapes of a caster's kernels follow those of the parts: another one begins
    // anew.
    const bool same = casting->in_parts ? !document_whole(document) &&
                                              casts->method == viewer->settings.view.method &&
                                              casts->caster == view_caster(&viewer->settings.view)
                                        : casting->atlas == parts_atlas(document->parts);
    return casting->gpu && same && casts->cubes == document->cubes.serial &&
           casting->pixels >= rays && casting->pixels / 2 <= rays;
}

bool casts_create(
    struct viewer *viewer, const struct caster *caster, uint32_t rays, struct casting *out,
    struct problem *problem)
{
    const struct document *document = viewer->document;
    const uint32_t samples = viewer->screen.renderer.samples;
    struct atlas frame;
    if (document_whole(document)) {
        return casting_create(
            &viewer->gpu, parts_atlas(document->parts), &document->cubes, caster, rays, samples,
            out, problem);
    }
    return parts_describe(document->parts, &frame, problem) &&
           casting_create_parts(
               &viewer->gpu, &frame, &document->cubes, caster, rays, samples, out, problem);
}

// Sets the scene's cast as it runs here.
static void
casts_set(const struct casts *casts, struct scene *scene, VkRect2D pixels, uint32_t scale)
{
    scene_set_cast(scene, pixels, scale);
    scene->cast.method = casts->prepared;
}

// Makes what is missing. A method that cannot compact rays is replaced, and a message says so.
static bool casts_make(struct viewer *viewer, uint32_t rays, struct problem *problem)
{
    struct casts *casts = &viewer->casts;
    const struct view *view = &viewer->settings.view;
    const struct caster *caster = view_caster(view);
    if (!casts_fits(viewer, rays)) {
        casts_drop(viewer);
        casts->cubes = viewer->document->cubes.serial;
        if (!casts_create(viewer, caster, rays, &casts->casting, problem)) {
            return false;
        }
        if (casts->casting.in_parts) {
            casts->casting.timer = &viewer->frame.timer; // it casts while no frame is in flight
        }
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

// Gives something up that rays need less than room. False: there was nothing.
static bool casts_make_room(struct viewer *viewer)
{
    // A surface that is not drawn may go, too.
    return picture_memory_make(viewer) ||
           (!document_whole(viewer->document) &&
            budget_give_up(&viewer->gpu.budget, GIVE_UP_SHOWN_SURFACE));
}

static bool casts_prepare(struct viewer *viewer, struct problem *problem)
{
    struct casts *casts = &viewer->casts;
    const struct document *document = viewer->document;
    const VkExtent2D size = viewer_area(viewer).extent;
    const uint32_t rays = cast_bordered(size.width, size.height);
    struct problem why = { 0 };
    if (viewer->settings.view.draw != DRAW_RAYS || !document) {
        return true;
    }
    if (!document_whole(document) && viewer->opening.document) {
        casts_drop(viewer); // the memory is given to another volume
        return true;
    }
    const bool fits = casts_fits(viewer, rays);
    const struct view *view = &viewer->settings.view;
    if (casts->casting.has_shadow && !view->shadow) {
        casting_drop_shadow(&casts->casting);
    }
    const bool shades = casts->casting.has_shadow || !view->shadow;
    if (fits && shades && casts->method == view->method && casts->caster == view_caster(view)) {
        return true;
    }
    bool fine;
    do {
        fine = casts_make(viewer, rays, &why);
    } while (!fine && why.kind == PROBLEM_DEVICE_MEMORY && casts_make_room(viewer));
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

// The view's scene with its cast, as a draft or in full.
static struct scene
casts_scene(const struct viewer *viewer, enum due_picture picture, uint32_t scale)
{
    struct scene scene = {
        .view = &viewer->settings.view,
        .placement = &viewer->document->placement,
        .area = viewer_area(viewer),
        .casting = (struct casting *)&viewer->casts.casting, // which is only looked at here
        .draft = picture == PICTURE_DRAFT,
    };
    casts_set(&viewer->casts, &scene, scene.area, scale);
    return scene;
}

static bool casts_parts_is_of_view(const struct viewer *viewer, enum due_picture picture)
{
    const struct casts_parts *parts = &viewer->casts.parts;
    const uint32_t scale = picture == PICTURE_FULL ? 1 : parts->place.scale;
    const struct scene scene = casts_scene(viewer, picture, scale);
    return cast_alike(&scene.cast, &parts->cast) &&
           memcmp(&scene.area, &parts->area, sizeof parts->area) == 0;
}

void casts_look(struct viewer *viewer)
{
    struct casts_parts *parts = &viewer->casts.parts;
    parts->outdated =
        (parts->there || parts->pass.parts) && !casts_parts_is_of_view(viewer, parts->picture);
}

// Whether the rays of the view's picture in full are known.
static bool casts_is_steady(struct viewer *viewer)
{
    struct casts *casts = &viewer->casts;
    const struct casts_parts *parts = &casts->parts;
    if (casts->casting.in_parts) {
        return parts->there && parts->picture == PICTURE_FULL &&
               casts_parts_is_of_view(viewer, PICTURE_FULL);
    }
    const struct scene scene = casts_scene(viewer, PICTURE_FULL, 1);
    return cast_same(&scene.cast, &casts->shown) ||
           (cast_alike(&scene.cast, &casts->kept) &&
            kept_hits_covers(&casts->keep, scene.area.extent.height));
}

bool casts_fit(struct viewer *viewer, struct problem *problem)
{
    if (!casts_prepare(viewer, problem)) {
        return false;
    }
    viewer->casts.steady = viewer_casts(viewer) && casts_is_steady(viewer);
    return true;
}

void casts_forget(struct viewer *viewer)
{
    kept_hits_lose(&viewer->casts.keep);
    viewer->casts.parts.there = false;
}

// ---- a frame ----

// Times of a cast of this scene, which has not begun.
static struct cast_times casts_times_of(const struct scene *scene)
{
    return (struct cast_times){
        .caster = scene->cast.caster->name,
        .iso = scene->cast.iso,
        .scale = scene->cast_place.scale,
        .shadow = scene->cast.shadow,
        .rays = { scene->cast.width - 2 * scene->cast.border, 0 },
    };
}

// Rows of a picture in full. Their cast is that of the scene, which may draw only them.
static void casts_record_cast(
    struct viewer *viewer, struct run *run, const struct scene *scene, uint32_t begin,
    uint32_t rows)
{
    struct casts *casts = &viewer->casts;
    kept_hits_leave(&casts->keep, run, &casts->casting);
    casts->anew = casts->is_new = true;
    casts->cast = scene->cast;
    casts->cast_rows = rows;
    renderer_cast(&viewer->screen.renderer, scene, run);
    if (rows > 0) {
        kept_hits_add(&casts->keep, &scene->cast, &scene->cast_place, begin, rows);
    }
}

static void casts_record_draft(struct viewer *viewer, struct run *run, struct scene *scene)
{
    struct casts *casts = &viewer->casts;
    const uint64_t pixels = (uint64_t)scene->area.extent.width * scene->area.extent.height;
    const uint32_t scale = drafts_scale(&casts->drafts, pixels);
    kept_hits_clear(&viewer->gpu, &casts->keep);
    casts->shown = (struct cast){ 0 };
    casts->rows = 0;
    casts->complete = true;
    casts_set(casts, scene, scene->area, scale);
    casts->is_new = false;
    casts->so_far = casts_times_of(scene);
    casts_record_cast(viewer, run, scene, 0, 0);
}

// The next rows are all that is drawn of the scene, unless they are the first on a new picture.
static void casts_go_on(struct casts *casts, struct scene *scene, uint32_t rows, bool over)
{
    scene->within = (VkRect2D){ 0 };
    if (over) {
        scene->within = scene->area;
        scene->within.offset.y += (int32_t)casts->rows;
        scene->within.extent.height = rows;
    }
    casts->rows += rows;
}

// Records the rows that follow and whose hits are kept, at least `least` if there are so many; but
// leaves the last of their bands to be drawn of the scene. False: there are none.
static bool casts_record_kept(
    struct viewer *viewer, struct run *run, struct scene *scene, bool over, uint32_t least)
{
    struct casts *casts = &viewer->casts;
    const uint32_t begin = casts->rows;
    bool any = false;
    while ((!any || casts->rows - begin < least) && kept_hits_at(&casts->keep, casts->rows)) {
        if (any) {
            renderer_record(
                &viewer->screen.renderer, viewer->frame.cmd, &viewer->screen.picture, scene);
        }
        const struct cast_band *band =
            kept_hits_bring(&casts->keep, run, &casts->casting, casts->rows);
        casts_go_on(casts, scene, band->rows, over || any);
        scene->cast = band->cast;
        scene->cast_place = band->place;
        renderer_shade(&viewer->screen.renderer, scene, run);
        cast_times_add(&casts->so_far, &band->times);
        any = true;
    }
    return any;
}

// Records the next rows of the picture in full.
static void casts_record_rows(struct viewer *viewer, struct run *run, struct scene *scene)
{
    struct casts *casts = &viewer->casts;
    const struct schedule *schedule = &viewer->schedule;
    const uint32_t height = scene->area.extent.height;
    casts_set(casts, scene, scene->area, 1);
    const bool same = cast_same(&scene->cast, &casts->shown);
    const bool over = schedule->picture_is_draft && !schedule->picture_is_old;
    // Only where the picture shows the same, coarsely or in another light.
    const bool divides = (over || same) && !viewer->params->exit_after;
    if (!cast_alike(&scene->cast, &casts->kept) ||
        (!divides && !kept_hits_covers(&casts->keep, height))) {
        kept_hits_clear(&viewer->gpu, &casts->keep);
    }
    casts->kept = casts->shown = scene->cast;
    if (!over || !same) {
        casts->rows = 0;
    }
    if (casts->rows == 0) {
        casts->is_new = false;
        casts->so_far = casts_times_of(scene);
    }
    const uint32_t again = divides ? drafts_rows_again(&casts->drafts, height) : height;
    if (!casts_record_kept(viewer, run, scene, divides, again)) {
        const uint32_t begin = casts->rows;
        const uint32_t left = kept_hits_next(&casts->keep, begin, height) - begin;
        const uint32_t rows = divides ? drafts_rows(&casts->drafts, left, CAST_TILE) : left;
        casts_go_on(casts, scene, rows, divides);
        if (divides) {
            casts_set(casts, scene, scene->within, 1);
        }
        casts_record_cast(viewer, run, scene, begin, rows);
    }
    casts->complete = casts->rows == height;
}

// Colours the hits that were found between frames. If the view has moved since, it is drawn as it
// was then.
static void casts_parts_record(struct viewer *viewer, struct run *run, struct scene *scene)
{
    struct casts *casts = &viewer->casts;
    struct casts_parts *parts = &casts->parts;
    const struct view then = parts->view;
    parts->view = viewer->settings.view; // lights and colours are those of now
    parts->view.camera = then.camera;
    parts->view.iso = then.iso;
    scene->view = &parts->view;
    scene->light.iso = then.iso;
    scene->area = parts->area;
    scene->by_rays = true;
    scene->cast = parts->cast;
    scene->cast_place = parts->place;
    casts->so_far = parts->times;
    casts->cast = parts->cast;
    casts->rows = parts->picture == PICTURE_FULL ? parts->area.extent.height : 0;
    casts->is_new = casts->anew = !parts->drawn;
    casts->complete = true;
    parts->drawn = true;
    renderer_shade(&viewer->screen.renderer, scene, run);
}

enum due_picture
casts_record(struct viewer *viewer, struct run *run, struct scene *scene, enum due_picture picture)
{
    struct casts *casts = &viewer->casts;
    scene->casting = &casts->casting;
    casts->recorded = true;
    casts->anew = false;
    if (casts->casting.in_parts) {
        casts_parts_record(viewer, run, scene);
    } else if (picture == PICTURE_DRAFT) {
        casts_record_draft(viewer, run, scene);
    } else {
        casts_record_rows(viewer, run, scene);
    }
    return casts->complete ? picture : PICTURE_DRAFT;
}

// Collects what the frame has cast, which adds to its times. False: rays cannot be drawn.
static bool casts_collect_cast(struct viewer *viewer, const double *ms, struct cast_times *times)
{
    struct casts *casts = &viewer->casts;
    struct casting *casting = &casts->casting;
    uint32_t hits;
    bool again;
    struct problem why = { 0 };
    if (!casting_collect(casting, &hits, &why)) {
        casts_refuse(viewer, &why);
        return false;
    }
    const uint32_t samples = casts->cast.edges ? edges_count(&casting->edges) : 0;
    if (!casting_again(casting, &again, &why)) {
        casts_refuse(viewer, &why);
        return false;
    }
    if (again) { // not all edges were smooth
        kept_hits_lose(&casts->keep);
        viewer_redraw(viewer);
    }
    times->hits = hits;
    times->rays[1] = casts->cast.height - 2 * casts->cast.border;
    times->cast = (uint64_t)casts->cast.width * casts->cast.height;
    if (casts->cast.caster->wavefront) {
        struct cast_rounds rounds;
        casting_rounds(casting, &casts->cast, &rounds);
        cast_times_add_rounds(times, &rounds, &viewer->frame.timer, ms);
    }
    if (casts->keep.here) {
        casts->keep.here->times = *times;
        casts->keep.here->samples =
            samples < casting->edges.capacity ? samples : casting->edges.capacity;
    }
    return true;
}

// The picture in full, or the draft, is complete.
static void casts_complete(struct viewer *viewer)
{
    struct casts *casts = &viewer->casts;
    const double sum = cast_times_sum(&casts->so_far);
    casts->last = casts->so_far;
    if (casts->is_new) {
        viewer_remember_times(viewer, sum);
    }
    schedule_redraw(&viewer->schedule, 2); // the panel shows them
    if (casts->rows > 0) {
        const uint64_t rays = (uint64_t)casts->so_far.rays[0] * casts->so_far.rays[1];
        drafts_note_picture(&casts->drafts, rays, sum, casts->so_far.ms[CAST_STAGE_PICTURE]);
        schedule_time(&viewer->schedule, DRAW_RAYS, sum);
    }
}

void casts_collect(struct viewer *viewer, const double ms[STOPWATCH_STAGES])
{
    struct casts *casts = &viewer->casts;
    struct cast_times now = { 0 };
    if (!casts->recorded) {
        return;
    }
    casts->recorded = false;
    cast_times_add_stages(&now, &viewer->frame.timer, ms);
    const double sum = cast_times_sum(&now), drawn = now.ms[CAST_STAGE_PICTURE];
    now.ms[CAST_STAGE_PICTURE] = 0;
    casts->so_far.ms[CAST_STAGE_PICTURE] += drawn;
    const bool by_frame = casts->anew && !casts->casting.in_parts;
    if (by_frame && !casts_collect_cast(viewer, ms, &now)) {
        return;
    }
    cast_times_add(&casts->so_far, &now);
    if (by_frame && casts->cast_rows > 0) {
        drafts_note_band(&casts->drafts, casts->cast_rows, sum);
    } else if (by_frame) {
        // What is prepared takes as long for any number of rays.
        const double cast = sum - drawn - now.ms[CAST_STAGE_PREPARE];
        const uint64_t rays = (uint64_t)casts->so_far.rays[0] * casts->so_far.rays[1];
        drafts_note(&casts->drafts, casts->so_far.scale, rays, cast, viewer->meters.gpu_ms - cast);
    }
    if (casts->complete) {
        casts_complete(viewer);
    }
}

// ---- over parts, between frames ----

static bool
casts_parts_begin(struct viewer *viewer, enum due_picture picture, struct problem *problem)
{
    struct casts *casts = &viewer->casts;
    struct casts_parts *parts = &casts->parts;
    const VkExtent2D size = viewer_area(viewer).extent;
    const uint64_t pixels = (uint64_t)size.width * size.height;
    const uint32_t scale = picture == PICTURE_DRAFT ? drafts_scale(&casts->drafts, pixels) : 1;
    const struct scene scene = casts_scene(viewer, picture, scale);
    parts->view = viewer->settings.view;
    parts->picture = picture;
    parts->area = scene.area;
    parts->cast = scene.cast;
    parts->place = scene.cast_place;
    parts->there = parts->drawn = false;
    parts->began = clock_ms();
    parts->times = casts_times_of(&scene);
    parts->times.rays[1] = scene.cast.height - 2 * scene.cast.border;
    parts->times.cast = (uint64_t)scene.cast.width * scene.cast.height;
    return cast_pass_begin(
        &parts->pass, viewer->document->parts, &casts->casting, &parts->cast,
        parts->view.every_brick, problem);
}

// Adds what the cast of a part has taken.
static void casts_parts_add_times(struct viewer *viewer)
{
    struct casts_parts *parts = &viewer->casts.parts;
    const struct stopwatch *timer = &viewer->frame.timer;
    struct cast_times now = { 0 };
    double ms[STOPWATCH_STAGES];
    if (!stopwatch_read(&viewer->gpu, timer, ms)) {
        return;
    }
    cast_times_add_stages(&now, timer, ms);
    if (parts->cast.caster->wavefront && !parts->pass.more) {
        struct cast_rounds rounds;
        casting_rounds(&viewer->casts.casting, &parts->cast, &rounds);
        cast_times_add_rounds(&now, &rounds, timer, ms);
    }
    cast_times_add(&parts->times, &now);
}

// The casting has all hits.
static void casts_parts_complete(struct viewer *viewer)
{
    struct casts *casts = &viewer->casts;
    struct casts_parts *parts = &casts->parts;
    const double sum = cast_times_sum(&parts->times), all = clock_ms() - parts->began;
    const uint64_t rays = (uint64_t)parts->times.rays[0] * parts->times.rays[1];
    parts->times.hits = parts->pass.hits;
    cast_pass_end(&parts->pass);
    parts->there = true;
    parts->again = false;
    if (parts->picture == PICTURE_DRAFT) {
        drafts_note(&casts->drafts, parts->place.scale, rays, sum, all > sum ? all - sum : 0);
    } else {
        schedule_time(&viewer->schedule, DRAW_RAYS, all);
    }
}

// After a failure: a second attempt, with more room; or triangles.
static bool casts_survive(struct viewer *viewer, const struct problem *why, struct problem *problem)
{
    struct casts_parts *parts = &viewer->casts.parts;
    casts_end(viewer);
    if (viewer->gpu.lost || why->kind == PROBLEM_INTERRUPTED) {
        *problem = *why;
        return false;
    }
    if (why->kind == PROBLEM_DEVICE_MEMORY && !parts->again && casts_make_room(viewer)) {
        parts->again = true;
        viewer_redraw(viewer);
    } else {
        casts_refuse(viewer, why);
    }
    return true;
}

bool casts_begin(struct viewer *viewer, enum due_picture picture, struct problem *problem)
{
    struct problem why = { 0 };
    if (!casts_fit(viewer, problem)) {
        return false;
    }
    if (!viewer_casts(viewer) || viewer->casts.steady) {
        return true;
    }
    schedule_put_off(&viewer->schedule, window_time());
    return casts_parts_begin(viewer, picture, &why) || casts_survive(viewer, &why, problem);
}

bool casts_next(struct viewer *viewer, struct problem *problem)
{
    struct problem why = { 0 };
    viewer->frame.timer.count = 0; // no frame is in flight
    const enum next next = cast_pass_next(&viewer->casts.parts.pass, SLICE_MS, &why);
    if (next == NEXT_FAILED) {
        return casts_survive(viewer, &why, problem);
    }
    if (next != NEXT_NOT_YET) {
        casts_parts_add_times(viewer);
    }
    if (next == NEXT_DONE) {
        casts_parts_complete(viewer);
    }
    return true;
}
