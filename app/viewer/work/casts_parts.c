#include "app/viewer/work/casts_parts.h"

#include "volumes/base/clock.h"

#include <string.h>

// The view's scene with its cast, as a draft or in full.
static struct scene
casts_parts_scene(const struct viewer *viewer, enum due_picture picture, uint32_t scale)
{
    struct scene scene = {
        .view = &viewer->settings.view,
        .placement = &viewer->document->placement,
        .area = viewer_area(viewer),
        .casting = (struct casting *)&viewer->casts.casting, // which is only looked at here
        .draft = picture == PICTURE_DRAFT,
    };
    scene_set_cast(&scene, scene.area, scale);
    scene.cast.method = viewer->casts.prepared;
    return scene;
}

static bool casts_parts_is_of_view(const struct viewer *viewer, enum due_picture picture)
{
    const struct casts_parts *parts = &viewer->casts.parts;
    const uint32_t scale = picture == PICTURE_FULL ? 1 : parts->place.scale;
    const struct scene scene = casts_parts_scene(viewer, picture, scale);
    return cast_alike(&scene.cast, &parts->cast) &&
           memcmp(&scene.area, &parts->area, sizeof parts->area) == 0;
}

bool casts_parts_steady(const struct viewer *viewer)
{
    const struct casts_parts *parts = &viewer->casts.parts;
    return parts->there && parts->picture == PICTURE_FULL &&
           casts_parts_is_of_view(viewer, PICTURE_FULL);
}

void casts_parts_look(struct viewer *viewer)
{
    struct casts_parts *parts = &viewer->casts.parts;
    parts->outdated =
        (parts->there || parts->pass.parts) && !casts_parts_is_of_view(viewer, parts->picture);
}

void casts_parts_end(struct viewer *viewer)
{
    struct casts_parts *parts = &viewer->casts.parts;
    cast_pass_end(&parts->pass);
    parts->there = false;
}

bool casts_parts_begin(struct viewer *viewer, enum due_picture picture, struct problem *problem)
{
    struct casts *casts = &viewer->casts;
    struct casts_parts *parts = &casts->parts;
    const VkExtent2D size = viewer_area(viewer).extent;
    const uint64_t pixels = (uint64_t)size.width * size.height;
    const uint32_t scale = picture == PICTURE_DRAFT ? drafts_scale(&casts->drafts, pixels) : 1;
    const struct scene scene = casts_parts_scene(viewer, picture, scale);
    parts->view = viewer->settings.view;
    parts->picture = picture;
    parts->area = scene.area;
    parts->cast = scene.cast;
    parts->place = scene.cast_place;
    parts->there = parts->drawn = false;
    parts->began = clock_ms();
    parts->times = (struct cast_times){
        .caster = scene.cast.caster->name,
        .iso = scene.cast.iso,
        .scale = scale,
        .shadow = scene.cast.shadow,
        .rays = { scene.cast.width - 2 * scene.cast.border,
                  scene.cast.height - 2 * scene.cast.border },
        .cast = (uint64_t)scene.cast.width * scene.cast.height,
    };
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

bool casts_parts_go_on(struct viewer *viewer, double ms, struct problem *problem)
{
    struct casts_parts *parts = &viewer->casts.parts;
    viewer->frame.timer.count = 0; // no frame is in flight
    const enum next next = cast_pass_next(&parts->pass, ms, problem);
    if (next == NEXT_FAILED) {
        return false;
    }
    if (next != NEXT_NOT_YET) {
        casts_parts_add_times(viewer);
    }
    if (next == NEXT_DONE) {
        casts_parts_complete(viewer);
    }
    return true;
}

void casts_parts_record(struct viewer *viewer, struct run *run, struct scene *scene)
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
