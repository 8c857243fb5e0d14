#include "app/viewer/work/casts.h"

#include "app/picture/bands.h"
#include "app/viewer/work/drafts.h"
#include "app/viewer/work/kept_hits.h"
#include "app/viewer/work/picture_memory.h"
#include "compute/casting/cast_pass.h"
#include "shaders/shared/casting.h"
#include "volumes/base/clock.h"

#include <stdlib.h>
#include <string.h>

// Layers of transparent contours: a frame records the next few of the full picture. A draft has a
// fixed number; the layers behind them are not drawn.
enum { FRAME_LAYERS = 4, DRAFT_LAYERS = 24 };
static const double SLICE_MS = 10; // time of work between frames before events are handled
static const uint64_t MANY_TRIANGLES = 200000; // drafts of more are faster by rays

// A cast over the parts of a volume, between frames.
struct casts_parts {
    struct cast_pass pass;    // pass.parts NULL: none is running
    struct view view;         // the view of the running cast, or of the last one
    VkRect2D area;            // the part of the window that the rays are for
    enum due_picture picture; // a draft or a full picture
    struct cast cast;
    struct cast_place place;
    struct cast_times times; // of the cast
    double began;            // clock_ms when the cast began
    bool there;              // the casting has all hits of the cast
    bool drawn;              // the hits have been drawn
    bool outdated;           // the view has other rays now; set by casts_look
    bool again;              // a second attempt, after other memory was freed
};

struct casts {
    struct casting casting;        // empty if no rays are drawn
    const struct caster *caster;   // the view's caster when the casting was prepared
    const struct method *method;   // the view's method when the casting was prepared
    const struct method *prepared; // the method that compacts rays; NULL: the default one
    struct cast cast;              // the cast that was recorded last
    struct cast kept;              // cast of the full picture whose bands are in `keep`
    struct kept_hits keep;         // the kept bands
    struct casting measuring;      // casts that are measured; empty: none are
    struct cast measured;          // their rays
    struct casts_parts parts;      // used instead of `kept` and `keep` if the volume is in parts
    struct cast shown; // cast of the full picture that is shown or being drawn; empty: none
    bool steady;       // the hits of the view's full picture are shown or kept
    struct drafts drafts;
    uint32_t rows;      // rows of the full picture drawn so far, from the top; 0: a draft was drawn
    uint32_t cast_rows; // number of rows of the last cast; 0: it was of a draft
    bool forgets;       // not all bands of this picture can be kept
    bool recorded;      // the frame in flight draws or casts rays
    bool anew;          // the hits of the frame in flight are new
    bool unseen;        // the frame in flight casts rays, but does not draw them yet
    bool complete;      // the frame in flight completes the full picture or the draft
    bool is_new;        // rays were cast for this picture or draft
    bool layers;        // the frame records layers of transparent contours
    struct cast_times so_far; // times of this picture or draft
    struct cast_times last;   // times of the last complete picture or draft
    // Device memory in use when the rays for drafts of triangles failed or were given up. They are
    // prepared again when less is in use.
    uint64_t refused_at;
};

void casts_end(struct works *works)
{
    struct casts_parts *parts = &works->casts->parts;
    cast_pass_end(&parts->pass);
    works->pass = NULL;
    parts->there = false;
}

void casts_drop(struct works *works)
{
    struct casts *casts = works->casts;
    casts_end(works);
    casts_end_measuring(works);
    casting_destroy(&casts->casting);
    casts->method = NULL;
    casts->rows = 0;
    kept_hits_clear(works->gpu, &casts->keep);
    casts->shown = (struct cast){ 0 };
    casts->so_far = (struct cast_times){ 0 };
    casts->steady = false;
}

static bool casts_draws(const struct works *works)
{
    return works->settings->view.draw == DRAW_RAYS;
}

// While rays are drawn, gives up only the kept hits, because drawing needs the casting.
static bool casts_give_up(void *user)
{
    struct works *works = user;
    const bool had = works->casts->casting.gpu;
    if (casts_draws(works)) {
        const uint64_t before = works->gpu->budget.allocated;
        kept_hits_clear(works->gpu, &works->casts->keep);
        return works->gpu->budget.allocated < before;
    }
    casts_drop(works);
    works->casts->refused_at = works->gpu->budget.allocated;
    return had;
}

bool casts_create(struct works *works, struct problem *problem)
{
    works->casts = calloc(1, sizeof *works->casts);
    if (!works->casts) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the viewer");
    }
    works->casts->refused_at = UINT64_MAX;
    budget_offer(&works->gpu->budget, GIVE_UP_CASTING, casts_give_up, works);
    return true;
}

void casts_destroy(struct works *works)
{
    if (works->casts) {
        casts_drop(works);
    }
    free(works->casts);
    works->casts = NULL;
}

bool casts_ready(const struct works *works)
{
    return casts_draws(works) && document_casts(works->document, &works->casts->casting);
}

// Drops the casts. If the view draws rays, asks for triangles, which stay until the person asks for
// rays again.
static void casts_refuse(struct works *works, const struct problem *why)
{
    casts_drop(works);
    works->casts->refused_at = works->gpu->budget.allocated;
    works->refusal.rays = casts_draws(works);
    works->refusal.why = *why;
}

// Whether the casting is of the open volume and has the capacity for `rays`, at most twice as much.
static bool casts_fits(const struct works *works, uint32_t rays)
{
    const struct casts *casts = works->casts;
    const struct document *document = works->document;
    const struct casting *casting = &casts->casting;
    // In parts, a caster's kernels are specialised for the shapes of the parts. Another caster or
    // method needs a new casting.
    const bool same = casting->in_parts ? !document_whole(document) &&
                                              casts->method == works->settings->view.method &&
                                              casts->caster == view_caster(&works->settings->view)
                                        : casting->atlas == parts_atlas(document->parts);
    return casting->gpu && same && casting->pixels >= rays && casting->pixels / 2 <= rays;
}

static bool casts_make_casting(
    struct works *works, const struct caster *caster, uint32_t rays, struct casting *out,
    struct problem *problem)
{
    const struct document *document = works->document;
    const uint32_t samples = works->display.renderer.samples;
    struct atlas frame;
    if (document_whole(document)) {
        return casting_create(
            works->gpu, parts_atlas(document->parts), &document->cubes, caster, rays, samples, out,
            problem);
    }
    return parts_describe(document->parts, &frame, problem) &&
           casting_create_parts(
               works->gpu, &frame, &document->cubes, caster, rays, samples, out, problem);
}

// Sets the scene's cast, with the method that runs here.
static void
casts_set(const struct casts *casts, struct scene *scene, VkRect2D pixels, uint32_t scale)
{
    scene_set_cast(scene, pixels, scale);
    scene->cast.method = casts->prepared;
}

// The view's scene with its cast, as a draft or in full.
static struct scene casts_scene(const struct works *works, enum due_picture picture, uint32_t scale)
{
    struct scene scene = {
        .view = &works->settings->view,
        .placement = &works->document->placement,
        .area = works->area,
        .casting = (struct casting *)&works->casts->casting, // only read here
        .draft = picture == PICTURE_DRAFT,
    };
    casts_set(works->casts, &scene, scene.area, scale);
    return scene;
}

// Whether the casting's kernels are for the number of contours that the view shows, and for planes
// that cut them. A cast between frames sees to that by itself.
static bool casts_suits(const struct works *works)
{
    const struct casting *casting = &works->casts->casting;
    const struct scene scene = casts_scene(works, PICTURE_FULL, 1);
    return casting->in_parts || (casting_suits(casting, &scene.cast) &&
                                 (!cast_layered(&scene.cast) || casting_has_layers(casting)));
}

// Makes the kernels again if they do not suit the view. After false there is no casting.
static bool casts_suit(struct works *works, struct problem *problem)
{
    const struct scene scene = casts_scene(works, PICTURE_FULL, 1);
    const bool fine = works->casts->casting.in_parts ||
                      casting_set_many(&works->casts->casting, &scene.cast, problem);
    if (!fine) {
        casts_drop(works);
    }
    return fine;
}

// Creates the casting if there is none that fits, and prepares its kernels. If the method cannot
// compact rays, the default method runs instead, and a message says so.
static bool casts_make(struct works *works, uint32_t rays, struct problem *problem)
{
    struct casts *casts = works->casts;
    const struct view *view = &works->settings->view;
    const struct caster *caster = view_caster(view);
    if (!casts_fits(works, rays)) {
        casts_drop(works);
        if (!casts_make_casting(works, caster, rays, &casts->casting, problem)) {
            return false;
        }
        if (casts->casting.in_parts) {
            casts->casting.timer = &works->timer; // it casts while no frame is in flight
        }
    }
    if (!casts_suit(works, problem)) {
        return false;
    }
    if (view->shadow && !casting_prepare_shadow(&casts->casting, problem)) {
        if (!problem_of_size(problem->kind)) {
            return false;
        }
        works->refusal.shadow = true;
    }
    casts->prepared = view->method;
    if (!casting_prepare(&casts->casting, caster, view->method, problem)) {
        casts->prepared = NULL;
        if (problem->kind != PROBLEM_UNSUPPORTED ||
            !casting_prepare(&casts->casting, caster, NULL, problem)) {
            return false;
        }
        message_say(
            works->message, "%s cannot compact rays: %s does it.", view->method->name,
            method_default()->name);
    }
    if (view_is_transparent(view) && !casts->casting.in_parts) {
        const bool other = wavefront_refuses(works->gpu, view->method);
        if (!casting_prepare_layers(&casts->casting, other ? NULL : view->method, problem)) {
            return false;
        }
    }
    casts->caster = caster;
    casts->method = view->method;
    return true;
}

// Gives up something else to free memory for rays. False: there was nothing to give up.
static bool casts_make_room(struct works *works)
{
    // Triangles are not drawn now, so the shown surface may be given up, too.
    return picture_memory_make(works) ||
           (!document_whole(works->document) &&
            budget_give_up(&works->gpu->budget, GIVE_UP_SHOWN_SURFACE));
}

static bool casts_prepare(struct works *works, struct problem *problem)
{
    struct casts *casts = works->casts;
    const struct document *document = works->document;
    const VkExtent2D size = works->area.extent;
    const uint32_t rays = cast_bordered(size.width, size.height);
    struct problem why = { 0 };
    if (!casts_draws(works) || !document) {
        return true;
    }
    if (!document_whole(document) && works->uploading) {
        casts_drop(works); // the memory is given to another volume
        return true;
    }
    const bool fits = casts_fits(works, rays);
    const struct view *view = &works->settings->view;
    if (casts->casting.has_shadow && !view->shadow) {
        casting_drop_shadow(&casts->casting);
    }
    const bool shades = casts->casting.has_shadow || !view->shadow;
    if (fits && shades && casts->method == view->method && casts->caster == view_caster(view) &&
        casts_suits(works)) {
        return true;
    }
    bool fine;
    do {
        fine = casts_make(works, rays, &why);
    } while (!fine && why.kind == PROBLEM_DEVICE_MEMORY && casts_make_room(works));
    if (fine) {
        works_redraw(works);
    } else if (works->gpu->lost || why.kind == PROBLEM_INTERRUPTED) {
        *problem = why;
        return false;
    } else {
        casts_refuse(works, &why);
    }
    return true;
}

static bool casts_parts_is_of_view(const struct works *works, enum due_picture picture)
{
    const struct casts_parts *parts = &works->casts->parts;
    const uint32_t scale = picture == PICTURE_FULL ? 1 : parts->place.scale;
    const struct scene scene = casts_scene(works, picture, scale);
    return cast_alike(&scene.cast, &parts->cast) &&
           memcmp(&scene.area, &parts->area, sizeof parts->area) == 0;
}

void casts_look(struct works *works)
{
    struct casts_parts *parts = &works->casts->parts;
    parts->outdated =
        (parts->there || works->pass) && !casts_parts_is_of_view(works, parts->picture);
}

// Whether the hits of the view's full picture are known.
static bool casts_is_steady(struct works *works)
{
    struct casts *casts = works->casts;
    const struct casts_parts *parts = &casts->parts;
    if (casts->casting.in_parts) {
        return parts->there && parts->picture == PICTURE_FULL &&
               casts_parts_is_of_view(works, PICTURE_FULL);
    }
    const struct scene scene = casts_scene(works, PICTURE_FULL, 1);
    return (cast_same(&scene.cast, &casts->shown) && !works->display.blank) ||
           (cast_alike(&scene.cast, &casts->kept) &&
            kept_hits_rows(&casts->keep) == scene.area.extent.height);
}

bool casts_fit(struct works *works, struct problem *problem)
{
    if (!casts_prepare(works, problem)) {
        return false;
    }
    works->casts->steady = casts_ready(works) && casts_is_steady(works);
    return true;
}

bool casts_for_file(
    struct works *works, VkExtent2D size, struct casting *own, struct scene *scene,
    struct view *view, struct problem *problem)
{
    struct casts *casts = works->casts;
    const struct bands bands = bands_of(size.width, size.height);
    const uint32_t rays = cast_bordered(bands.columns, bands.rows);
    const bool enough =
        casts_ready(works) && casts->caster == view_caster(view) && casts->casting.pixels >= rays;
    scene->casting = enough ? &casts->casting : own;
    view->caster = enough ? view->caster : NULL;
    view->method = enough ? casts->prepared : NULL;
    if (enough || own->gpu) {
        return !view->shadow || casting_prepare_shadow(scene->casting, problem);
    }
    // Every caster finds the same hits: the default one needs the least memory.
    return casts_make_casting(works, caster_default(), rays, own, problem) &&
           casting_prepare(own, caster_default(), NULL, problem) &&
           (!view->shadow || casting_prepare_shadow(own, problem));
}

void casts_end_for_file(struct works *works, struct casting *own, const struct scene *scene)
{
    if (scene->casting == &works->casts->casting) {
        kept_hits_lose(&works->casts->keep);
        works->casts->parts.there = false;
        if (cast_layered(&works->casts->shown)) { // its layers are gone
            casts_leave_picture(works);
            works_redraw(works);
        }
    }
    casting_destroy(own);
}

// ---- drafts of triangles ----

// The number of rays of the window's picture.
static uint32_t casts_rays(const struct works *works)
{
    return cast_bordered(works->area.extent.width, works->area.extent.height);
}

// Whether rays would draw the view's drafts faster than triangles.
static bool casts_wants_drafts(const struct works *works)
{
    const struct document *document = works->document;
    const struct view *view = &works->settings->view;
    return document && document_whole(document) && document->shown->has_result &&
           document->shown->result.triangles > MANY_TRIANGLES &&
           works->schedule->full_ms[DRAW_TRIANGLES] > SLOW_MS && view->draw == DRAW_TRIANGLES &&
           view->show == SHOW_SURFACE && !view->wireframe && !view->edges && !view->flat &&
           view->further == 0 && view_shows(view, 0) && view->transparencies[0] == 0;
}

bool casts_drafts(const struct works *works)
{
    return casts_wants_drafts(works) && casts_fits(works, casts_rays(works)) &&
           casts_suits(works) && casting_find(&works->casts->casting, caster_default());
}

bool casts_prepare_drafts(struct works *works, struct problem *problem)
{
    struct casting *casting = &works->casts->casting;
    const struct caster *caster = caster_default();
    const uint32_t rays = casts_rays(works);
    struct problem why = { 0 };
    const bool fits = casts_fits(works, rays);
    if (!fits) {
        casts_drop(works);
    }
    if ((!fits && !casts_make_casting(works, caster, rays, casting, &why)) ||
        !casts_suit(works, &why) || !casting_prepare(casting, caster, NULL, &why)) {
        if (works->gpu->lost || why.kind == PROBLEM_INTERRUPTED) {
            *problem = why;
            return false;
        }
        casts_refuse(works, &why);
    }
    return true;
}

void casts_view_draft(const struct works *works, struct view *view)
{
    view->isos[0] = works->document->shown->result.iso;
    view->caster = NULL;
    view->shadow = false;
}

void casts_situation(const struct works *works, struct situation *out)
{
    const struct casts *casts = works->casts;
    out->wants_caster = casts_wants_drafts(works) && !casts_drafts(works) &&
                        works->gpu->budget.allocated < casts->refused_at;
    out->steady = casts_ready(works) && casts->steady;
    out->cast = (struct turn){ casts_ready(works), works->pass, document_steps(works->document) };
    out->outdated = casts->parts.outdated;
    out->cast_for = casts->parts.picture;
    out->cast_is_new = casts->parts.there && !casts->parts.drawn;
}

const struct cast_times *casts_so_far(const struct works *works)
{
    return works->casts->so_far.caster ? &works->casts->so_far : NULL;
}

const struct cast_times *casts_last(const struct works *works)
{
    return works->casts->last.caster ? &works->casts->last : NULL;
}

const struct method *casts_prepared(const struct works *works)
{
    return works->casts->prepared;
}

void casts_leave_picture(struct works *works)
{
    works->casts->shown = (struct cast){ 0 };
}

// ---- a frame ----

// Times of a new cast of this scene: only the members that describe the cast are set.
static struct cast_times casts_times_of(const struct scene *scene)
{
    return (struct cast_times){
        .caster = scene->cast.caster->name,
        .iso = scene->cast.isos[0],
        .scale = scene->cast_place.scale,
        .shadow = scene->cast.shadow,
        .rays = { scene->cast.width - 2 * scene->cast.border, 0 },
    };
}

// Records scene->cast, which is for `rows` rows of the full picture. `rows` 0: it is for a draft.
static void casts_record_cast(
    struct works *works, struct run *run, const struct scene *scene, uint32_t begin, uint32_t rows)
{
    struct casts *casts = works->casts;
    kept_hits_leave(&casts->keep, run, &casts->casting);
    casts->anew = casts->is_new = true;
    casts->cast = scene->cast;
    casts->cast_rows = rows;
    if (casts->unseen) {
        casting_record(scene->casting, run, &scene->cast);
    } else {
        renderer_cast(&works->display.renderer, scene, run);
    }
    if (rows > 0) {
        kept_hits_add(&casts->keep, &scene->cast, &scene->cast_place, begin, rows);
    }
}

// Records the full picture of transparent contours: the rays and their first layers, or the layers
// that follow. The frame after the last layers completes the picture.
static void casts_record_layers(struct works *works, struct run *run, struct scene *scene)
{
    struct casts *casts = works->casts;
    struct renderer *renderer = &works->display.renderer;
    const struct schedule *schedule = works->schedule;
    casts_set(casts, scene, scene->area, 1);
    const bool over = schedule->picture_is_draft && !schedule->picture_is_old;
    const bool same = over && cast_same(&scene->cast, &casts->shown) && !works->display.blank;
    if (!same) {
        kept_hits_clear(works->gpu, &casts->keep);
        casts->shown = scene->cast;
        casts->rows = 0;
        casts->so_far = casts_times_of(scene);
        casts_record_cast(works, run, scene, 0, 0);
    }
    if (casting_layers_go_on(&casts->casting, &scene->cast)) {
        renderer_record_layers(renderer, scene, run, FRAME_LAYERS);
        casts->layers = casts->casting.at != LAYERS_ENDED;
    }
    casts->complete = !casts->layers;
    casts->unseen = over && casts->layers; // the draft stays until all rays have ended
}

static void casts_record_draft(struct works *works, struct run *run, struct scene *scene)
{
    struct casts *casts = works->casts;
    const uint64_t pixels = (uint64_t)scene->area.extent.width * scene->area.extent.height;
    const uint32_t scale = drafts_scale(&casts->drafts, pixels);
    kept_hits_clear(works->gpu, &casts->keep);
    casts->shown = (struct cast){ 0 };
    casts->rows = 0;
    casts->forgets = false;
    casts->complete = true;
    casts_set(casts, scene, scene->area, scale);
    casts->is_new = false;
    casts->so_far = casts_times_of(scene);
    casts_record_cast(works, run, scene, 0, 0);
    if (cast_layered(&scene->cast)) {
        renderer_record_layers(&works->display.renderer, scene, run, DRAFT_LAYERS);
    }
}

// Advances by `rows` rows. `over`: the scene draws only these, and keeps the rest of the picture.
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

// Records the next bands, until they have `least` rows or the hits of the next band are not kept.
// The last band is only shaded: the caller draws it with the scene. False: there are none.
static bool casts_record_kept(
    struct works *works, struct run *run, struct scene *scene, bool over, uint32_t least)
{
    struct casts *casts = works->casts;
    const uint32_t begin = casts->rows;
    bool any = false;
    while ((!any || casts->rows - begin < least) && kept_hits_at(&casts->keep, casts->rows)) {
        if (any) {
            renderer_record(&works->display.renderer, run->cmd, &works->display.picture, scene);
        }
        const struct cast_band *band =
            kept_hits_bring(&casts->keep, run, &casts->casting, casts->rows);
        casts_go_on(casts, scene, band->rows, over || any);
        scene->cast = band->cast;
        scene->cast_place = band->place;
        renderer_shade(&works->display.renderer, scene, run);
        cast_times_add(&casts->so_far, &band->times);
        any = true;
    }
    return any;
}

// Records the next rows of the full picture.
static void casts_record_rows(struct works *works, struct run *run, struct scene *scene)
{
    struct casts *casts = works->casts;
    const struct schedule *schedule = works->schedule;
    const uint32_t height = scene->area.extent.height;
    casts_set(casts, scene, scene->area, 1);
    const bool same = cast_same(&scene->cast, &casts->shown) && !works->display.blank;
    const bool over = schedule->picture_is_draft && !schedule->picture_is_old;
    // Divide only if the picture shows the same view already, as a draft or in another light.
    const bool divides = (over || same) && !works->params->exit_after;
    if (!cast_alike(&scene->cast, &casts->kept) ||
        (!divides && kept_hits_rows(&casts->keep) < height)) {
        kept_hits_clear(works->gpu, &casts->keep);
    }
    casts->kept = casts->shown = scene->cast;
    if (!over || !same) {
        casts->rows = 0;
    }
    if (casts->rows == 0) {
        casts->is_new = over;
        casts->so_far = casts_times_of(scene);
    }
    // Over a draft, all bands are cast first and then drawn in one frame, so that the picture never
    // has a seam between coarse and fine rows.
    const uint32_t known = kept_hits_rows(&casts->keep);
    const bool at_once = over && casts->rows == 0 && !casts->forgets;
    casts->unseen = at_once && divides && known < height;
    casts->rows = casts->unseen ? known : casts->rows;
    const uint32_t again = divides && !at_once ? drafts_rows_again(&casts->drafts, height) : height;
    if (!casts_record_kept(works, run, scene, divides, again)) {
        const uint32_t begin = casts->rows;
        const uint32_t left = kept_hits_next(&casts->keep, begin, height) - begin;
        const uint32_t rows = divides ? drafts_rows(&casts->drafts, left, CAST_TILE) : left;
        casts_go_on(casts, scene, rows, divides);
        if (divides) {
            casts_set(casts, scene, scene->within, 1);
        }
        casts_record_cast(works, run, scene, begin, rows);
    }
    if (casts->unseen) {
        casts->forgets = kept_hits_rows(&casts->keep) < casts->rows;
        casts->rows = 0;
    }
    casts->complete = casts->rows == height;
}

// Shades the hits of the cast between frames. If the view has changed since, the camera and the
// isovalue of the cast are used.
static void casts_parts_record(struct works *works, struct run *run, struct scene *scene)
{
    struct casts *casts = works->casts;
    struct casts_parts *parts = &casts->parts;
    const struct view then = parts->view;
    parts->view = works->settings->view; // the present lights and colours
    parts->view.camera = then.camera;
    memcpy(parts->view.isos, then.isos, sizeof then.isos);
    scene->view = &parts->view;
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        scene->contours[i].iso = then.isos[i];
    }
    scene_set_light(scene, scene->light.cubes);
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
    renderer_shade(&works->display.renderer, scene, run);
}

enum due_picture
casts_record(struct works *works, struct run *run, struct scene *scene, enum due_picture picture)
{
    struct casts *casts = works->casts;
    scene->casting = &casts->casting;
    casts->recorded = true;
    casts->anew = casts->unseen = casts->layers = false;
    if (casts->casting.in_parts) {
        casts_parts_record(works, run, scene);
    } else if (picture == PICTURE_DRAFT) {
        casts_record_draft(works, run, scene);
    } else if (view_is_transparent(scene->view)) {
        casts_record_layers(works, run, scene);
    } else {
        casts_record_rows(works, run, scene);
    }
    return casts->unseen ? PICTURE_STAYS : casts->complete ? picture : PICTURE_DRAFT;
}

// Casts again if the list of samples at edges was too short. False: rays cannot be drawn.
static bool casts_again(struct works *works)
{
    struct casts *casts = works->casts;
    bool again;
    struct problem why = { 0 };
    if (!casting_again(&casts->casting, &again, &why)) {
        casts_refuse(works, &why);
        return false;
    }
    if (again) {
        kept_hits_lose(&casts->keep);
        if (cast_layered(&casts->cast)) {
            casts_leave_picture(works);
        }
        if (!casts->unseen) {
            works_redraw(works);
        }
    }
    return true;
}

// Collects the frame's cast, and adds its counts to `times`. False: rays cannot be drawn.
static bool casts_collect_cast(struct works *works, const double *ms, struct cast_times *times)
{
    struct casts *casts = works->casts;
    struct casting *casting = &casts->casting;
    uint32_t hits;
    struct problem why = { 0 };
    if (!casting_collect(casting, &hits, &why)) {
        casts_refuse(works, &why);
        return false;
    }
    const uint32_t samples = casts->cast.edges ? edges_count(&casting->edges) : 0;
    if (!casts_again(works)) {
        return false;
    }
    times->hits = hits;
    times->rays[1] = casts->cast.height - 2 * casts->cast.border;
    times->cast = (uint64_t)casts->cast.width * casts->cast.height;
    if (casts->cast.caster->wavefront) {
        struct cast_rounds rounds;
        casting_rounds(casting, &casts->cast, &rounds);
        cast_times_add_rounds(times, &rounds, &works->timer, ms);
    }
    if (casts->keep.here) {
        casts->keep.here->times = *times;
        casts->keep.here->samples =
            samples < casting->edges.capacity ? samples : casting->edges.capacity;
    }
    return true;
}

// The full picture or the draft is complete.
static void casts_complete(struct works *works)
{
    struct casts *casts = works->casts;
    const double sum = cast_times_sum(&casts->so_far);
    casts->last = casts->so_far;
    if (casts->is_new) {
        meters_note(&works->meters, sum);
    }
    schedule_redraw(works->schedule, 2); // the panel shows the new times
    if (casts->rows > 0) {
        const uint64_t rays = (uint64_t)casts->so_far.rays[0] * casts->so_far.rays[1];
        drafts_note_picture(&casts->drafts, rays, sum, casts->so_far.ms[CAST_STAGE_PICTURE]);
        schedule_time(works->schedule, DRAW_RAYS, sum);
    }
}

bool casts_collect(struct works *works, const double ms[STOPWATCH_STAGES])
{
    struct casts *casts = works->casts;
    struct cast_times now = { 0 };
    if (!casts->recorded) {
        return false;
    }
    casts->recorded = false;
    cast_times_add_stages(&now, &works->timer, ms);
    const double sum = cast_times_sum(&now), drawn = now.ms[CAST_STAGE_PICTURE];
    now.ms[CAST_STAGE_PICTURE] = 0;
    casts->so_far.ms[CAST_STAGE_PICTURE] += drawn;
    const bool by_frame = casts->anew && !casts->casting.in_parts;
    if (by_frame && !casts_collect_cast(works, ms, &now)) {
        return true;
    }
    if (casts->layers && !casts->anew && !casts_again(works)) {
        return true;
    }
    cast_times_add(&casts->so_far, &now);
    if (by_frame && casts->cast_rows > 0) {
        drafts_note_band(&casts->drafts, casts->cast_rows, sum);
    } else if (by_frame) {
        // The preparation takes as long for any number of rays, so it counts as rest.
        const double cast = sum - drawn - now.ms[CAST_STAGE_PREPARE];
        const uint64_t rays = (uint64_t)casts->so_far.rays[0] * casts->so_far.rays[1];
        drafts_note(&casts->drafts, casts->so_far.scale, rays, cast, works->meters.gpu_ms - cast);
    }
    if (casts->complete) {
        casts_complete(works);
    }
    return casts->anew;
}

// ---- measuring ----

void casts_begin_measuring(struct works *works)
{
    works->casts->measured = casts_scene(works, PICTURE_FULL, 1).cast;
}

bool casts_measures(const struct works *works)
{
    const struct scene scene = casts_scene(works, PICTURE_FULL, 1);
    return casts_ready(works) && cast_same(&scene.cast, &works->casts->measured);
}

void casts_end_measuring(struct works *works)
{
    casting_destroy(&works->casts->measuring);
}

bool casts_measure(
    struct works *works, const struct caster *caster, const struct method *method,
    struct step_time *time, uint64_t counts[2], bool *whole, struct problem *problem)
{
    struct casts *casts = works->casts;
    struct casting *casting = &casts->measuring;
    struct cast cast = casts->measured;
    struct cast_times times = { 0 };
    double ms[STOPWATCH_STAGES];
    uint32_t hits;
    bool again;
    cast.caster = caster;
    cast.method = method;
    works->timer.count = 0; // no frame is in flight, so the timer is free
    if ((!casting->gpu &&
         !casts_make_casting(works, caster, casts_rays(works), casting, problem)) ||
        (cast.shadow && !casting_prepare_shadow(casting, problem))) {
        return false;
    }
    casting->timer = &works->timer;
    if (!casting_run(casting, &cast, &hits, problem) || !casting_again(casting, &again, problem)) {
        return false;
    }
    *whole = !again && stopwatch_read(works->gpu, &works->timer, ms);
    if (*whole) {
        cast_times_add_stages(&times, &works->timer, ms);
    }
    time->ms[STEP_BRICKS] = (float)(times.ms[CAST_STAGE_PREPARE] + times.ms[CAST_STAGE_MARCH]);
    time->ms[STEP_CELLS] = (float)times.ms[CAST_STAGE_COMPACTION];
    time->ms[STEP_REMOVALS] = (float)times.ms[CAST_STAGE_TAIL];
    time->ms[STEP_VERTICES] = (float)times.ms[CAST_STAGE_POINTS];
    counts[0] = (uint64_t)cast.width * cast.height;
    counts[1] = hits;
    return true;
}

// ---- over parts, between frames ----

static bool
casts_parts_begin(struct works *works, enum due_picture picture, struct problem *problem)
{
    struct casts *casts = works->casts;
    struct casts_parts *parts = &casts->parts;
    const VkExtent2D size = works->area.extent;
    const uint64_t pixels = (uint64_t)size.width * size.height;
    const uint32_t scale = picture == PICTURE_DRAFT ? drafts_scale(&casts->drafts, pixels) : 1;
    const struct scene scene = casts_scene(works, picture, scale);
    parts->view = works->settings->view;
    parts->picture = picture;
    parts->area = scene.area;
    parts->cast = scene.cast;
    parts->place = scene.cast_place;
    parts->there = parts->drawn = false;
    parts->began = clock_ms();
    parts->times = casts_times_of(&scene);
    parts->times.rays[1] = scene.cast.height - 2 * scene.cast.border;
    parts->times.cast = (uint64_t)scene.cast.width * scene.cast.height;
    if (cast_layered(&scene.cast)) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "transparent contours are not drawn of a volume in parts");
    }
    if (!cast_pass_begin(
            &parts->pass, works->document->parts, &casts->casting, &parts->cast,
            parts->view.every_brick, problem)) {
        return false;
    }
    works->pass = &parts->pass;
    return true;
}

// Adds the times of the cast of a part.
static void casts_parts_add_times(struct works *works)
{
    struct casts_parts *parts = &works->casts->parts;
    const struct stopwatch *timer = &works->timer;
    struct cast_times now = { 0 };
    double ms[STOPWATCH_STAGES];
    if (!stopwatch_read(works->gpu, timer, ms)) {
        return;
    }
    cast_times_add_stages(&now, timer, ms);
    if (parts->cast.caster->wavefront && !parts->pass.more) {
        struct cast_rounds rounds;
        casting_rounds(&works->casts->casting, &parts->cast, &rounds);
        cast_times_add_rounds(&now, &rounds, timer, ms);
    }
    cast_times_add(&parts->times, &now);
}

// The cast is complete: the casting has all hits.
static void casts_parts_complete(struct works *works)
{
    struct casts *casts = works->casts;
    struct casts_parts *parts = &casts->parts;
    const double sum = cast_times_sum(&parts->times), all = clock_ms() - parts->began;
    const uint64_t rays = (uint64_t)parts->times.rays[0] * parts->times.rays[1];
    parts->times.hits = parts->pass.hits;
    cast_pass_end(&parts->pass);
    works->pass = NULL;
    parts->there = true;
    parts->again = false;
    if (parts->picture == PICTURE_DRAFT) {
        drafts_note(&casts->drafts, parts->place.scale, rays, sum, all > sum ? all - sum : 0);
    } else {
        schedule_time(works->schedule, DRAW_RAYS, all);
    }
}

// Handles a failure: frees memory for a second attempt, or draws triangles. False: as casts_fit.
static bool casts_survive(struct works *works, const struct problem *why, struct problem *problem)
{
    struct casts_parts *parts = &works->casts->parts;
    casts_end(works);
    if (works->gpu->lost || why->kind == PROBLEM_INTERRUPTED) {
        *problem = *why;
        return false;
    }
    if (why->kind == PROBLEM_DEVICE_MEMORY && !parts->again && casts_make_room(works)) {
        parts->again = true;
        works_redraw(works);
    } else {
        casts_refuse(works, why);
    }
    return true;
}

bool casts_begin(struct works *works, enum due_picture picture, struct problem *problem)
{
    struct problem why = { 0 };
    if (!casts_fit(works, problem)) {
        return false;
    }
    if (!casts_ready(works) || works->casts->steady || works->refusal.shadow) {
        return true;
    }
    schedule_put_off(works->schedule, window_time());
    return casts_parts_begin(works, picture, &why) || casts_survive(works, &why, problem);
}

bool casts_next(struct works *works, struct problem *problem)
{
    struct problem why = { 0 };
    works->timer.count = 0; // no frame is in flight, so the timer is free
    const enum next next = cast_pass_next(&works->casts->parts.pass, SLICE_MS, &why);
    if (next == NEXT_FAILED) {
        return casts_survive(works, &why, problem);
    }
    if (next != NEXT_NOT_YET) {
        casts_parts_add_times(works);
    }
    if (next == NEXT_DONE) {
        casts_parts_complete(works);
    }
    return true;
}
