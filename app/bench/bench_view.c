// bench view: times frames of the view as an interactive user experiences them, without a window:
// from the camera or the isovalue to the picture in host memory. The picture has the light of a
// moving view, without occlusion. A draft by rays has one ray for each square of RAYS_SIDE x
// RAYS_SIDE pixels, like a draft of the window without a GPU.
#include "app/base/json.h"
#include "app/base/progress.h"
#include "app/bench/bench.h"
#include "app/bench/turns.h"
#include "app/cli/session.h"
#include "app/picture/scene_save.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint32_t FRAMES = 8;     // without --frames
static const double ORBIT_STEP = 3;   // degrees
static const double DRAG_STEPS = 255; // a step is 1/DRAG_STEPS of the range of the samples
enum { DRAG_VALUES = 7 };             // isovalues that take turns
enum { RAYS_SIDE = 4 };

enum mode { ORBIT, DRAG, MODES };
static const char *const mode_names[MODES] = { "orbit", "drag" };

struct bench_view_run {
    enum draw_kind draw;
    enum mode mode;
    bool draft;
    double cpu_ms, ms; // medians
    uint64_t covered;  // pixels that the surface covers
};

struct bench_view {
    struct session session;
    struct extraction *extraction; // owned by the session
    struct extract_totals loaded;
    struct surface surface;
    const struct method *method;
    struct view view;
    struct placement placement;
    struct renderer renderer;
    struct casting casting; // for rays
    uint32_t width, height;
    struct turns turns;    // of frames: by the clock, and CPU times
    double iso, drawn_iso; // at the start, and of the current surface
    uint64_t covered;      // pixels that the surface covers
    struct bench_view_run runs[DRAWS * MODES * 2];
    uint32_t run_count;
};

// What pictures of one kind are drawn into.
struct bench_target {
    bool draft;
    uint32_t rays_side; // see struct scene
    struct bands bands;
    struct picture picture;
    struct buffer pixels;
    struct canvas canvas;
};

static bool bench_target_open(
    struct bench_view *bench, bool draft, bool transparent, struct bench_target *out,
    struct problem *problem)
{
    *out = (struct bench_target){
        .draft = draft,
        .rays_side = draft ? RAYS_SIDE : 1,
        .bands = bands_of(bench->width, bench->height),
    };
    const VkSampleCountFlagBits samples =
        bench->view.draw == DRAW_RAYS ? VK_SAMPLE_COUNT_1_BIT : bench->renderer.samples;
    return scene_band_create(
               &bench->session.gpu, &bench->renderer, &out->bands, samples, false, &out->picture,
               &out->pixels, problem) &&
           canvas_create(bench->width, bench->height, transparent, &out->canvas, problem);
}

static void bench_target_close(struct bench_view *bench, struct bench_target *target)
{
    struct gpu *gpu = &bench->session.gpu;
    buffer_destroy(gpu, &target->pixels);
    picture_destroy(gpu, &target->picture);
    canvas_destroy(&target->canvas);
}

static bool
bench_view_draw(struct bench_view *bench, struct bench_target *target, struct problem *problem)
{
    const bool rays = bench->view.draw == DRAW_RAYS;
    const struct scene scene = {
        .view = &bench->view,
        .placement = &bench->placement,
        .contours = { { .surface = rays ? NULL : &bench->surface, .iso = bench->drawn_iso } },
        .casting = rays ? &bench->casting : NULL,
        .light = { &bench->session.cubes, bench->drawn_iso },
        .for_file = true,
        .draft = target->draft,
        .rays_side = target->rays_side,
    };
    return scene_draw(
        &bench->session.gpu, &bench->renderer, &scene, &target->bands, &target->picture,
        &target->pixels, &target->canvas, problem);
}

static bool bench_view_extract(struct bench_view *bench, double iso, struct problem *problem)
{
    const struct extraction_step step = {
        .iso = iso,
        .method = bench->method,
        .target = &bench->surface,
        .draws = true,
        .anew = true,
    };
    struct extraction_result result;
    bench->drawn_iso = bench->view.isos[0] = iso;
    if (bench->view.draw == DRAW_RAYS) {
        return progress_go_on(problem); // rays need no surface
    }
    return extraction_run(bench->extraction, &step, &result, problem) && progress_go_on(problem);
}

// Draws one frame, which differs from the frame before.
static bool bench_view_frame(
    struct bench_view *bench, enum mode mode, uint32_t frame, struct bench_target *target,
    struct problem *problem)
{
    const struct volume_facts *facts = &bench->session.facts;
    if (mode == ORBIT) {
        camera_turn_about(&bench->view.camera, (float)(ORBIT_STEP * acos(-1) / 180));
    } else {
        const double step = (facts->max - facts->min) / DRAG_STEPS;
        if (!bench_view_extract(bench, bench->iso + (frame + 1) % DRAG_VALUES * step, problem)) {
            return false;
        }
    }
    return bench_view_draw(bench, target, problem);
}

// The `user` of bench_view_turn: pictures of one mode.
struct bench_frames {
    struct bench_view *bench;
    enum mode mode;
    struct bench_target target;
};

// The first picture is slower and is not counted. Nothing moves before it.
static bool bench_view_turn(void *user, uint32_t i, uint32_t round, struct problem *problem)
{
    struct bench_frames *frames = user;
    struct bench_view *bench = frames->bench;
    const double start = clock_ms(), cpu = clock_cpu_ms();
    if (!(round == 0
              ? bench_view_draw(bench, &frames->target, problem)
              : bench_view_frame(bench, frames->mode, round - 1, &frames->target, problem))) {
        return false;
    }
    turns_put(&bench->turns, i, 0, round, clock_ms() - start);
    turns_put(&bench->turns, i, 1, round, clock_cpu_ms() - cpu);
    return true;
}

static bool
bench_view_time(struct bench_view *bench, enum mode mode, bool draft, struct problem *problem)
{
    const struct camera camera = bench->view.camera;
    struct bench_frames frames = { .bench = bench, .mode = mode };
    bool fine = bench_target_open(bench, draft, false, &frames.target, problem) &&
                turns_run(1, bench->turns.repeat, bench_view_turn, &frames, problem);
    bench_target_close(bench, &frames.target);
    bench->view.camera = camera;
    if (fine && mode == DRAG) {
        fine = bench_view_extract(bench, bench->iso, problem);
    }
    if (fine) {
        bench->runs[bench->run_count++] = (struct bench_view_run){
            .draw = bench->view.draw,
            .mode = mode,
            .draft = draft,
            .cpu_ms = turns_timings(&bench->turns, 0, 1).median_ms,
            .ms = turns_timings(&bench->turns, 0, 0).median_ms,
            .covered = bench->covered,
        };
    }
    return fine;
}

// Counts the pixels that the surface covers, at one sample per pixel.
static bool bench_view_cover(struct bench_view *bench, struct problem *problem)
{
    const enum background background = bench->view.background;
    struct bench_target target;
    bench->view.background = BACKGROUND_TRANSPARENT;
    bench->covered = 0;
    bool fine = bench_target_open(bench, false, true, &target, problem);
    target.draft = true; // one sample
    fine = fine && bench_view_draw(bench, &target, problem);
    for (size_t i = 0; fine && i < (size_t)bench->width * bench->height; i++) {
        bench->covered += target.canvas.pixels[4 * i + 3] > 0;
    }
    bench_target_close(bench, &target);
    bench->view.background = background;
    return fine;
}

static bool
bench_view_prepare(struct bench_view *bench, const struct options *options, struct problem *problem)
{
    struct session *session = &bench->session;
    const struct plan *plan = &options->plan;
    bench->width = options->width ? options->width : 1280;
    bench->height = options->height ? options->height : 800;
    const uint32_t frames = options->motion.frames ? options->motion.frames : FRAMES;
    bench->iso = session_iso(session, &options->isos[0]);
    bench->view = options->view;
    bench->view.isos[0] = bench->iso;
    bench->view.light = LIGHT_OFF;
    view_place(&bench->view, &session->volume, &bench->placement);
    view_begin(
        &bench->view, &bench->placement, &session->cubes, (float)bench->width,
        (float)bench->height);
    return turns_create(1, 2, frames, &bench->turns, problem) &&
           session_method(
               session, plan->method_count ? plan->methods[0] : NULL, &bench->method, problem) &&
           renderer_create(
               &session->gpu, VK_FORMAT_R8G8B8A8_SRGB, bench->view.samples, &bench->renderer,
               problem);
}

static bool bench_view_open_rays(struct bench_view *bench, struct problem *problem)
{
    const struct bands bands = bands_of(bench->width, bench->height);
    return casting_create(
        &bench->session.gpu, parts_atlas(bench->session.parts), &bench->session.cubes,
        caster_default(), cast_bordered(bands.columns, bands.rows), bench->renderer.samples,
        &bench->casting, problem);
}

static bool bench_view_print_json(const struct bench_view *bench, struct problem *problem)
{
    json_t *json = json_begin_report();
    session_json(&bench->session, json);
    json_add_count(json, "width", bench->width);
    json_add_count(json, "height", bench->height);
    json_add_count(json, "samples", bench->renderer.samples);
    json_add_count(json, "frames", bench->turns.repeat);
    json_add_text(json, "method", bench->method->name);
    json_t *rows = json_add_array(json, "runs");
    for (uint32_t i = 0; i < bench->run_count; i++) {
        const struct bench_view_run *run = &bench->runs[i];
        json_t *row = json_add_object(rows, NULL);
        json_add_text(row, "draw", draw_names[run->draw]);
        json_add_text(row, "mode", mode_names[run->mode]);
        json_add_bool(row, "draft", run->draft);
        json_add_number(row, "iso", bench->iso);
        json_add_number(row, "cpu_ms", run->cpu_ms);
        json_add_number(row, "ms", run->ms);
        json_add_count(row, "covered", run->covered);
    }
    return json_finish(json, stdout, problem);
}

static void bench_view_print_text(const struct bench_view *bench)
{
    printf(
        "%ux%u pixels, %u samples, isovalue %.7g, %.1f %% of the pixels covered, medians of %u "
        "frames\n",
        bench->width, bench->height, bench->renderer.samples, bench->iso,
        100 * (double)bench->covered / ((double)bench->width * bench->height), bench->turns.repeat);
    printf("%-10s%-10s%-10s%14s%10s\n", "drawn as", "mode", "picture", "CPU ms", "ms");
    for (uint32_t i = 0; i < bench->run_count; i++) {
        const struct bench_view_run *run = &bench->runs[i];
        printf(
            "%-10s%-10s%-10s%14.2f%10.2f\n", draw_names[run->draw], mode_names[run->mode],
            run->draft ? "draft" : "full", run->cpu_ms, run->ms);
    }
}

// Times all frames that are drawn as `draw`.
static bool bench_view_draws(struct bench_view *bench, enum draw_kind draw, struct problem *problem)
{
    bench->view.draw = draw;
    bool fine = bench_view_extract(bench, bench->iso, problem) && bench_view_cover(bench, problem);
    for (int run = 0; fine && run < MODES * 2; run++) {
        fine = bench_view_time(bench, (enum mode)(run / 2), run % 2, problem);
    }
    return fine;
}

bool bench_view(const struct options *options, struct problem *problem)
{
    const struct plan *plan = &options->plan;
    if (options->iso_count > 1 || plan->method_count > 1 || plan->all_methods) {
        return problem_set(
            problem, PROBLEM_USAGE, "bench view takes one --%s",
            options->iso_count > 1 ? "iso" : "method");
    }
    struct bench_view bench = { .session.draws = true };
    struct session *session = &bench.session;
    bool fine = session_read(session, options->operands[1], options, problem) &&
                session_open(session, options, problem) &&
                session_whole(session, options, &bench.extraction, &bench.loaded, problem) &&
                bench_view_prepare(&bench, options, problem);
    const bool *draws = options->bench_draws;
    if (fine && !draws[DRAW_RAYS]) {
        fine = bench_view_draws(&bench, DRAW_TRIANGLES, problem);
    } else if (fine) {
        fine = (!draws[DRAW_TRIANGLES] || bench_view_draws(&bench, DRAW_TRIANGLES, problem)) &&
               bench_view_open_rays(&bench, problem) &&
               bench_view_draws(&bench, DRAW_RAYS, problem);
    }
    if (fine && options->json) {
        fine = bench_view_print_json(&bench, problem);
    } else if (fine) {
        bench_view_print_text(&bench);
    }
    turns_destroy(&bench.turns);
    casting_destroy(&bench.casting);
    renderer_destroy(&session->gpu, &bench.renderer);
    surface_destroy(&session->gpu, &bench.surface);
    return session_close(session, fine, problem);
}
