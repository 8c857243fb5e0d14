#include "app/bench/bench_frames.h"

#include "app/base/progress.h"
#include "app/picture/cast_show.h"
#include "app/picture/offscreen.h"
#include "compute/atlas_load.h"
#include "shaders/shared/casting.h"
#include "volumes/base/clock.h"

#include <stdlib.h>
#include <string.h>

// If only the first few are used, they are spread around the volume, too.
const struct frame_view frame_views[FRAMES_VIEWS] = {
    { "0", 0, 0 },     { "90", 90, 0 },      { "180", 180, 0 },    { "270", 270, 0 },
    { "top", 0, 90 },  { "tilted", 30, 35 }, { "45", 45, 0 },      { "135", 135, 0 },
    { "225", 225, 0 }, { "315", 315, 0 },    { "bottom", 0, -90 }, { "tilted-back", 210, -35 },
};

bool frames_open(
    struct session *session, const struct options *options, const struct caster *caster,
    uint32_t width, uint32_t height, struct frames *out, struct problem *problem)
{
    struct gpu *gpu = &session->gpu;
    const uint32_t pixels = width * height;
    struct atlas_params params = options->atlas;
    *out = (struct frames){
        .gpu = gpu,
        .volume = &session->volume,
        .cast = { .width = width, .height = height },
        .hits = malloc(pixels * sizeof *out->hits),
        .first = malloc(pixels * sizeof *out->first),
    };
    bool fine = out->hits && out->first;
    if (!fine) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for %u hits", pixels);
    }
    fine = fine && volume_cubes(&session->volume, NULL, &out->cubes, problem) &&
           atlas_create(gpu, &session->volume, &params, &out->atlas, problem) &&
           stopwatch_create(gpu, &out->timer, problem) &&
           casting_create(gpu, &out->atlas, &out->cubes, caster, pixels, 1, &out->casting, problem);
    if (!fine) {
        frames_close(out);
    }
    return fine;
}

void frames_close(struct frames *frames)
{
    if (frames->gpu) {
        casting_destroy(&frames->casting);
        stopwatch_destroy(frames->gpu, &frames->timer);
        atlas_destroy(frames->gpu, &frames->atlas);
    }
    cubes_destroy(&frames->cubes);
    free(frames->hits);
    free(frames->first);
    *frames = (struct frames){ 0 };
}

void frames_look(
    struct frames *frames, uint32_t view, double iso, uint32_t rounds, struct placement *placement,
    struct view *out)
{
    const uint32_t width = frames->cast.width, height = frames->cast.height;
    out->start = (struct view_start){
        .has_direction = true,
        .azimuth = frame_views[view].azimuth,
        .elevation = frame_views[view].elevation,
    };
    out->isos[0] = iso;
    out->rounds = rounds;
    view_place(out, frames->volume, placement);
    view_begin(out, placement, &frames->cubes, (float)width, (float)height);
    frames->cast = (struct cast){
        .rounds = rounds,
        .isos = { iso },
        .width = width,
        .height = height,
    };
    cast_show_rays(&out->camera, placement, width, height, &frames->cast.rays, NULL);
}

static bool frames_read_stages(struct frames *frames, struct frame *frame)
{
    double ms[STOPWATCH_STAGES];
    const bool read = stopwatch_read(frames->gpu, &frames->timer, ms);
    for (uint32_t i = 0; read && i < frames->timer.count; i++) {
        frame->stages[frames->timer.stages[i].kind] += ms[i];
    }
    return read;
}

bool frames_cast(
    struct frames *frames, const struct way *way, bool stages, struct frame *out,
    struct problem *problem)
{
    struct casting *casting = &frames->casting;
    struct cast *cast = &frames->cast;
    struct run run;
    *out = (struct frame){ 0 };
    cast->caster = way->caster;
    cast->method = way->method;
    if (!casting_prepare(casting, way->caster, way->method, problem)) {
        return false;
    }
    const double start = clock_ms(), cpu = clock_cpu_ms();
    VkCommandBuffer cmd =
        casting_begin(casting, cast, problem) ? gpu_begin(frames->gpu, problem) : NULL;
    if (!cmd) {
        return false;
    }
    run_begin(&run, frames->gpu, cmd, stages ? &frames->timer : NULL);
    casting_record(casting, &run, cast);
    if (!gpu_submit_and_wait(frames->gpu, cmd, problem) ||
        !casting_collect(casting, &out->hits, problem)) {
        return false;
    }
    out->ms = clock_ms() - start;
    out->cpu_ms = clock_cpu_ms() - cpu;
    out->staged = stages && frames_read_stages(frames, out);
    if (way->caster->wavefront) {
        casting_rounds(casting, cast, &out->rounds);
    }
    return progress_go_on(problem);
}

bool frames_compare(
    struct frames *frames, bool keep, bool damage, uint64_t *differ, struct problem *problem)
{
    const size_t pixels = (size_t)frames->cast.width * frames->cast.height;
    struct cast_hit *hits = keep ? frames->first : frames->hits;
    *differ = 0;
    if (!casting_fetch(&frames->casting, &frames->cast, hits, problem)) {
        return false;
    }
    for (size_t i = 0; damage && i < pixels; i++) {
        damage = hits[i].cell == CAST_NOTHING;
        hits[i].cell = CAST_NOTHING;
    }
    if (!keep && memcmp(hits, frames->first, pixels * sizeof *hits) != 0) {
        for (size_t i = 0; i < pixels; i++) {
            *differ += memcmp(&hits[i], &frames->first[i], sizeof *hits) != 0;
        }
    }
    return true;
}

bool frames_save(
    struct frames *frames, const struct view *view, const char *path, struct problem *problem)
{
    struct view drawn = *view;
    struct offscreen_params params = {
        .width = frames->cast.width,
        .height = frames->cast.height,
        .volume = frames->volume,
        .cubes = &frames->cubes,
        .at_once = 1,
    };
    struct offscreen offscreen = { 0 };
    drawn.light = LIGHT_OFF;
    drawn.draw = DRAW_RAYS;
    drawn.samples = 1;
    drawn.caster = frames->cast.caster;
    drawn.method = frames->cast.method;
    bool more = true, fine = picture_samples(frames->gpu, 1, &params.samples, problem) &&
                             offscreen_open(frames->gpu, &drawn, &params, &offscreen, problem);
    while (fine && more) {
        uint32_t hits;
        fine = offscreen_cast(&offscreen, &frames->casting, NULL, NULL, &hits, &more, problem);
    }
    fine = fine && canvas_write(&offscreen.canvas, path, NULL, problem);
    offscreen_close(&offscreen);
    return fine;
}
