#include "app/viewer/viewer.h"

#include "app/base/cache.h"
#include "app/base/progress.h"
#include "app/base/report.h"
#include "app/settings/bindings.h"
#include "app/viewer/files/open.h"
#include "app/viewer/files/saver.h"
#include "app/viewer/files/store.h"
#include "app/viewer/input.h"
#include "app/viewer/work/casts.h"
#include "app/viewer/work/frame.h"
#include "app/viewer/work/picture_memory.h"
#include "app/viewer/work/surface_work.h"
#include "volumes/base/log.h"
#include "volumes/base/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double FIRST_LOAD_MS = 250; // a small volume is shown in the first frame
static const double SLICE_MS = 30;       // of measuring all methods, between two frames
// How often its progress is drawn, and that of the times of `auto`.
static const double SHOW_MEASURED = 0.1, SHOW_CALIBRATED = 0.5;

bool viewer_has_display(void)
{
    return window_available();
}

static bool viewer_pick_method(struct viewer *viewer, struct problem *problem)
{
    const struct method *wanted = viewer->params->view->method;
    if (!viewer->settings.view.method) {
        viewer->settings.view.method = wanted ? wanted : method_default();
    }
    const char *reason = viewer_refuses(viewer, viewer->settings.view.method);
    if (reason && viewer->settings.view.method == wanted && !viewer->params->any_method) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED, "--method %s cannot run on %s: %s", wanted->name,
            viewer->gpu.properties.deviceName, reason);
    }
    return !reason || viewer_next_method(viewer, +1) ||
           problem_set(
               problem, PROBLEM_UNSUPPORTED, "no compaction method can run on %s: %s",
               viewer->gpu.properties.deviceName, reason);
}

// What is kept when the device is lost.
struct viewer_kept {
    bool any; // false: nothing was shown yet
    struct settings settings;
    char *path;                  // of the volume that was open; NULL: the generated one
    struct volume_params volume; // how it was read
    uint32_t width, height;      // of the window
    uint64_t frames;
    struct store store; // of the volume
};

static void viewer_keep(struct viewer *viewer, struct viewer_kept *out)
{
    const struct document *document = viewer->document;
    *out = (struct viewer_kept){ 0 };
    if (document && (!document->path || (out->path = strdup(document->path)))) {
        out->any = true;
        out->settings = viewer->settings;
        out->volume = document->params;
        out->settings.help = out->settings.sweeping = false;
        out->width = viewer->frame.width;
        out->height = viewer->frame.height;
        out->frames = viewer->meters.frames;
        out->store.shown = viewer->store.shown;
        out->store.own = viewer->store.own;
        out->store.path = viewer->store.path;
        viewer->store.shown = NULL;
        viewer->store.path = NULL;
    }
}

static bool viewer_create(struct viewer *viewer, struct viewer_kept *kept, struct problem *problem)
{
    const struct viewer_params *params = viewer->params;
    uint32_t width, height;
    store_size(params->session, &width, &height);
    width = params->width ? params->width : width;
    height = params->height ? params->height : height;
    viewer->settings.view = *params->view;
    viewer->settings.view.camera.distance = 3;
    viewer->settings.panel = true;
    viewer->settings.view.axes = viewer->settings.view.scale_bar = true;
    viewer->settings.text_scale = 1;
    viewer->settings.enlarged = 1;
    if (params->session && !store_read_window(params->session, &viewer->settings, problem)) {
        return false;
    }
    if (kept->any) {
        viewer->settings = kept->settings;
        viewer->meters.frames = kept->frames;
        viewer->store = kept->store;
        kept->store = (struct store){ 0 };
        width = kept->width ? kept->width : width;
        height = kept->height ? kept->height : height;
    }

    // The file is read while the window and the device are opened.
    if (!kept->any && params->missing) {
        viewer->nothing_opened = *params->missing;
        store_ask(&viewer->store, NULL, params->session, params->missing);
    } else if (
        kept->any ? !open_start_as(viewer, kept->path, &kept->volume, true, problem)
                  : !open_start(viewer, params->path, problem)) {
        return false;
    }
    viewer->opening.resuming = kept->any;
    if (!window_create("cubist", width, height, &viewer->screen.window, problem)) {
        return false;
    }
    window_extent(viewer->screen.window, &width, &height);
    struct gpu_params gpu = {
        .device = params->device,
        .validate = params->validate,
        .draws = true,
        .presents = window_presents,
    };
    gpu.extensions = window_extensions(&gpu.extension_count);
    const double start = clock_ms();
    if (!gpu_create(&gpu, &viewer->gpu, problem)) {
        return false;
    }
    if (*viewer->gpu.passed_over && !kept->any) {
        log_note("%s", viewer->gpu.passed_over);
        viewer_say(viewer, "%s.", viewer->gpu.passed_over);
    }
    viewer->gpu.budget.limit = params->memory_budget;
    pipeline_cache_load(&viewer->gpu);
    if (params->verbose) {
        notes_device(&viewer->gpu, clock_ms() - start);
    }
    if (!viewer_pick_method(viewer, problem) ||
        !swapchain_create(
            &viewer->gpu, viewer->screen.window, &viewer->screen.swapchain, problem)) {
        return false;
    }
    viewer->screen.interval = window_interval();
    if (params->verbose) {
        fprintf(
            stderr, "cubist: the window has images of VkFormat %d, shown as %s\n",
            (int)viewer->screen.swapchain.format,
            viewer->screen.swapchain.mode == VK_PRESENT_MODE_MAILBOX_KHR ? "MAILBOX" : "FIFO");
    }
    viewer->screen.swapchain.extent = (VkExtent2D){ width, height };
    const VkFormat shown = viewer->screen.swapchain.format;
    const bool blue_first = shown == VK_FORMAT_B8G8R8A8_UNORM || shown == VK_FORMAT_B8G8R8A8_SRGB;
    const VkFormat format = blue_first ? VK_FORMAT_B8G8R8A8_SRGB : VK_FORMAT_R8G8B8A8_SRGB;
    if (!renderer_create(
            &viewer->gpu, format, viewer->settings.view.samples, &viewer->screen.renderer,
            problem) ||
        !frame_fit_format(viewer, problem) ||
        !ui_create(
            window_handle(viewer->screen.window), window_scale(viewer->screen.window),
            &viewer->screen.ui, problem) ||
        !frame_create(viewer, problem)) {
        return false;
    }
    const float scale = window_scale(viewer->screen.window);
    const bool small = (float)width < 700 * scale || (float)height < 450 * scale;
    if (small && !kept->any && !params->session) {
        viewer->settings.panel = false;
        char key[BINDINGS_TEXT];
        viewer_say(viewer, "The window is small: %s shows the panel.", bindings_key("panel", key));
    }
    if (*params->warning && !kept->any) {
        viewer_say(viewer, "%s", params->warning);
    }
    ui_set_scale(viewer->screen.ui, viewer->settings.text_scale * scale);
    if (viewer->gpu.software) {
        for (int draw = 0; draw < DRAWS; draw++) {
            schedule_time(&viewer->schedule, draw, HUGE_VAL); // drafts until it is known
        }
    }
    if (kept->any) {
        viewer_say(viewer, "The device was lost: everything was opened again.");
    }
    return true;
}

static void viewer_destroy(struct viewer *viewer)
{
    struct gpu *gpu = &viewer->gpu;
    exporter_destroy(viewer->saving.exporter);
    if (viewer->frame.in_flight) {
        gpu_wait(gpu, viewer->frame.fence, NULL);
    }
    surface_work_end(viewer);
    open_end(viewer);
    forms_end(&viewer->forms);
    casts_drop(viewer);
    document_destroy(viewer->document);
    auto_times_drop(&viewer->calibrating);
    store_end(&viewer->store);
    if (gpu->device) {
        frame_destroy(viewer);
        ui_draw_destroy(gpu, &viewer->screen.ui_draw);
        shown_destroy(gpu, &viewer->screen.shows);
        picture_destroy(gpu, &viewer->screen.picture);
        renderer_destroy(gpu, &viewer->screen.renderer);
        swapchain_destroy(gpu, &viewer->screen.swapchain);
    }
    ui_destroy(viewer->screen.ui);
    pipeline_cache_save(gpu);
    gpu_destroy(gpu);
    if (gpu->lost) {
        window_leave(viewer->screen.window);
    } else {
        window_destroy(viewer->screen.window);
    }
}

// The work in the background that a box over the picture shows.
static void viewer_fill_box(const struct viewer *viewer, struct ui_box *out)
{
    const struct open *opening = &viewer->opening;
    const struct exporter *exporter = viewer->saving.exporter;
    const struct measurement *measurement = &viewer->comparing;
    const struct document *document = opening->cancelled ? NULL : opening->document;
    char name[480];
    if (document || opening->loader) {
        const char *path = document ? document->path : loader_path(opening->loader);
        printable_copy(path ? loader_file_name(path) : "the generated volume", name, sizeof name);
        snprintf(out->title, sizeof out->title, "%s %s", document ? "Uploading" : "Loading", name);
        // Progress counts reading as one half of loading a part to the device. Here all is read
        // already.
        out->share = document ? fmin(2 * extract_progress(opening->extract).share, 1)
                              : loader_share(opening->loader);
        if (document || out->share < 1) {
            snprintf(out->state, sizeof out->state, "%.0f %%", 100 * out->share);
        } else {
            snprintf(out->state, sizeof out->state, "finding the range");
        }
    } else if (exporter) {
        printable_copy(exporter_path(exporter), name, sizeof name);
        snprintf(out->title, sizeof out->title, "Writing %s", name);
        out->share = exporter_share(exporter);
        if (out->share > 0) {
            snprintf(out->state, sizeof out->state, "%.0f %%", 100 * out->share);
        } else {
            snprintf(out->state, sizeof out->state, "ordering the triangles");
        }
    } else if (measurement->running) {
        snprintf(out->title, sizeof out->title, "Measuring all methods");
        out->share = measurement_share(measurement);
        snprintf(
            out->state, sizeof out->state, "%.0f %%  %s", 100 * out->share,
            measurement->rows[measurement->row].method);
    }
}

// If there is too little memory for the panel, it is not drawn. Only large text needs much.
static bool viewer_prepare_panel(struct viewer *viewer, struct problem *problem)
{
    struct problem why;
    viewer->frame.draws_panel = true;
    while (!ui_draw_prepare(&viewer->gpu, &viewer->screen.ui_draw, viewer->screen.ui, &why)) {
        if (!problem_of_size(why.kind)) {
            return problem_set(problem, why.kind, "%s", why.text);
        }
        if (why.kind == PROBLEM_LIMIT || !picture_memory_make(viewer)) {
            viewer->frame.draws_panel = false;
            if (viewer->settings.text_scale > 1) {
                viewer_scale_text(viewer, 1);
                viewer_say(viewer, "The device has no memory for text of this size.");
            }
            return true;
        }
    }
    return true;
}

// Lays out the panel for the next frame. *answer has what the person did since the last one. No
// frame may be in flight.
static bool viewer_lay_out(struct viewer *viewer, struct ui_answer *answer, struct problem *problem)
{
    const struct extract *extract = viewer->making.extract;
    const struct casts *casts = &viewer->casts;
    struct ui_model model = {
        .gpu = &viewer->gpu,
        .settings = &viewer->settings,
        .document = viewer->document,
        .auto_times = &viewer->calibrating,
        .measurement = &viewer->comparing,
        .meters = &viewer->meters,
        .cpu_ms = viewer->frame.cpu_ms,
        .area = viewer_area(viewer),
        .casts = viewer_casts(viewer),
        .prepared = casts->prepared,
        .cast = casts->last.caster ? &casts->last : NULL,
        .making_share = extract                   ? extract_progress(extract).share
                        : casts->parts.pass.parts ? cast_pass_share(&casts->parts.pass)
                                                  : -1,
        .message = viewer->message.text[0] ? viewer->message.text : NULL,
        .message_is_error = viewer->message.is_error,
        .form = viewer->forms.kind != FORM_NONE ? &viewer->forms.form : NULL,
    };
    viewer_fill_box(viewer, &model.box);
    ui_frame(viewer->screen.ui, &model, answer);
    if (viewer_area(viewer).offset.x != model.area.offset.x) {
        viewer_redraw(viewer); // the panel's width changes with this frame
    }
    return viewer_prepare_panel(viewer, problem);
}

// Draws a frame if there is an image to draw on. The person's answer to the panel is handled first,
// so the frame shows its effect.
static bool viewer_draw(struct viewer *viewer, struct problem *problem)
{
    bool ready;
    struct ui_answer answer;
    if (!frame_acquire(viewer, &ready, problem)) {
        return false;
    }
    schedule_put_off(&viewer->schedule, window_time());
    if (!ready) {
        return true;
    }
    if (!viewer_lay_out(viewer, &answer, problem)) {
        return false;
    }
    input_answer(viewer, &answer);
    return frame_draw(viewer, problem);
}

// Does what is due between two frames: files, and parts of a volume, of a surface or of a cast.
static bool viewer_work(struct viewer *viewer, struct problem *problem)
{
    open_look(viewer);
    if (!open_take(viewer, problem) || (viewer->opening.document && !open_go_on(viewer, problem))) {
        return false;
    }
    const struct situation at = viewer_situation(viewer);
    const struct due due = viewer_due(viewer);
    if (due.drops_cast) {
        casts_end(viewer);
    } else if (at.cast.runs) {
        return casts_next(viewer, problem);
    } else if (due.gives_up) {
        surface_work_end(viewer);
    } else if (at.surface.runs) {
        return surface_work_go_on(viewer, problem);
    } else if (due.cast != PICTURE_STAYS) {
        return casts_begin(viewer, due.cast, problem);
    } else if (due.step && !at.surface.needs_frame) {
        return surface_work_begin(viewer, problem);
    }
    return true;
}

static bool viewer_has_window(struct problem *problem)
{
    const char *lost = window_lost();
    return !lost || problem_set(problem, PROBLEM_NO_DEVICE, "%s", lost);
}

// Measures all methods for a slice of time. False: the problem must end the viewer.
static bool viewer_measure(struct viewer *viewer, struct problem *problem)
{
    struct measurement *measurement = &viewer->comparing;
    struct document *document = viewer->document;
    const struct view *view = &viewer->settings.view;
    const struct measured of = {
        .gpu = &viewer->gpu,
        .attempt = document_attempt,
        .document = document,
        .facts = &document->facts,
        .key = document_key(document, measurement->iso),
        .times = &document->times,
    };
    struct problem why = { 0 };
    if (!document_steps(document)) {
        measurement_end(measurement); // there was no memory left for it; a message says so
        return true;
    }
    if (view->iso != measurement->iso || view->every_brick != measurement->every_brick) {
        measurement_end(measurement);
        viewer_say(viewer, "Measuring ended without a table: another surface is wanted.");
    } else {
        document_use_times(document, auto_times_load(&viewer->calibrating));
        if (!measurement_next(measurement, &of, SLICE_MS, &why)) {
            if (viewer->gpu.lost || why.kind == PROBLEM_INTERRUPTED) {
                *problem = why;
                return false;
            }
            viewer_say(
                viewer, "Measuring ended without a table, at %s: %s",
                measurement->rows[measurement->row].method, why.text);
        } else if (!measurement->running && viewer->params->verbose) {
            fprintf(
                stderr, "cubist: measured %u methods at isovalue %.17g, each %u times\n",
                measurement->count, measurement->iso, measurement->rows[0].times.steps);
        }
    }
    if (!measurement->running) {
        viewer_measured(viewer);
    } else if (window_time() > measurement->drawn + SHOW_MEASURED) {
        measurement->drawn = window_time();
        schedule_redraw(&viewer->schedule, 1);
    }
    return true;
}

// Measures the times that `auto` uses for a slice of time. False: the problem must end the viewer.
static bool viewer_calibrate(struct viewer *viewer, struct problem *problem)
{
    struct auto_times *times = &viewer->calibrating;
    struct document *document = viewer->document;
    if (!auto_times_next(times, problem)) {
        return false;
    }
    if (times->has_times) {
        document_use_times(document, auto_times_load(times));
        viewer_say(
            viewer, "The methods have been measured: auto now uses their times on this device.");
    } else if (times->calibration && window_time() > times->shown + SHOW_CALIBRATED) {
        times->shown = window_time();
        schedule_redraw(&viewer->schedule, 1);
    }
    return true;
}

// One turn of the loop. False: the problem must end the viewer.
static bool viewer_turn(struct viewer *viewer, double wait, struct problem *problem)
{
    input_events(viewer, wait);
    if (interrupted) {
        return problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
    }
    if (!viewer_has_window(problem)) {
        return false;
    }
    viewer->screen.stuck = false;
    input_sweep(viewer);
    casts_look(viewer);
    if (!viewer_work(viewer, problem)) {
        return false;
    }
    input_ask(viewer);
    struct due due = viewer_due(viewer);
    if (due.end) {
        return true;
    }
    if (due.unsays) {
        viewer_unsay(viewer);
        due = viewer_due(viewer);
    }
    if (due.frame) {
        viewer_show(viewer);
        return viewer_draw(viewer, problem);
    }
    if (viewer->calibrating.calibration && !viewer_situation(viewer).wants_times) {
        auto_times_drop(&viewer->calibrating);
    }
    if (due.compares) {
        return viewer_measure(viewer, problem);
    }
    return !due.calibrates || viewer_calibrate(viewer, problem);
}

static bool viewer_loop(struct viewer *viewer, struct problem *problem)
{
    for (;;) {
        if (!frame_finish(viewer, problem)) {
            return false;
        }
        struct due due = viewer_due(viewer);
        if (!saver_go_on(viewer, due.exports, problem)) {
            return false;
        }
        due = viewer_due(viewer);
        if (due.end) {
            break;
        }
        if (!viewer_turn(viewer, due.wait, problem)) {
            return false;
        }
    }
    if (viewer->nothing_opened.kind != PROBLEM_NONE) {
        *problem = viewer->nothing_opened; // people have read it; scripts need the exit code
        return false;
    }
    return true;
}

// Gives a small volume time to load before the window appears.
static void viewer_await_first(struct viewer *viewer)
{
    for (int i = 0; i < FIRST_LOAD_MS / 2 && viewer->opening.loader && !viewer->document; i++) {
        if (!loader_busy(viewer->opening.loader)) {
            return;
        }
        usleep(2000);
    }
}

// Continues from `kept`. If the device is lost, stores there what the next run continues from.
static bool viewer_run_once(
    const struct viewer_params *params, struct trace *trace, struct viewer_kept *kept, bool *lost,
    struct problem *problem)
{
    struct viewer *viewer = calloc(1, sizeof *viewer);
    if (!viewer) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the viewer");
    }
    viewer->params = params;
    viewer->trace = trace;
    bool fine = viewer_create(viewer, kept, problem);
    if (fine) {
        auto_times_offer(&viewer->calibrating, &viewer->gpu);
        casts_offer(viewer);
        picture_memory_offer(viewer);
        viewer_await_first(viewer);
        viewer_redraw(viewer);
        fine = viewer_loop(viewer, problem);
        if (!fine) {
            viewer_has_window(problem); // without it other things fail, too
        }
        if (!viewer->gpu.lost) {
            store_leave(viewer);
        }
    }
    *lost = viewer->gpu.lost;
    free(kept->path);
    viewer_keep(viewer, kept);
    viewer_destroy(viewer);
    if (fine && viewer->gpu.messages > 0) {
        fine = problem_set(
            problem, PROBLEM_INTERNAL, "the validation layers had %u messages",
            viewer->gpu.messages);
    }
    if (!viewer->gpu.lost) {
        free(viewer); // a lost driver may still use parts of it
    }
    return fine;
}

bool viewer_run(const struct viewer_params *params, struct problem *problem)
{
    struct trace trace;
    if (!trace_open(params->trace, &trace, problem)) {
        return false;
    }
    struct viewer_kept kept = { 0 };
    bool lost = false, fine = viewer_run_once(params, &trace, &kept, &lost, problem);
    if (!fine && lost && !interrupted) {
        fprintf(stderr, "cubist: %s; opening everything again\n", problem->text);
        fine = viewer_run_once(params, &trace, &kept, &lost, problem);
    }
    free(kept.path);
    store_end(&kept.store);
    return trace_close(&trace, fine ? problem : NULL) && fine;
}
