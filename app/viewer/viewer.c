#include "app/viewer/viewer.h"

#include "app/base/cache.h"
#include "app/base/progress.h"
#include "app/base/report.h"
#include "app/settings/bindings.h"
#include "app/viewer/files/open.h"
#include "app/viewer/files/saver.h"
#include "app/viewer/files/store.h"
#include "app/viewer/frame.h"
#include "app/viewer/input.h"
#include "app/viewer/work/casts.h"
#include "app/viewer/work/picture_memory.h"
#include "app/viewer/work/surface_work.h"
#include "compute/casting/cast_pass.h"
#include "volumes/base/log.h"
#include "volumes/base/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double FIRST_LOAD_MS = 250; // the first frame waits so long to show a small volume
static const double SLICE_MS = 30;       // time of measuring all methods between two frames
// Seconds between frames with the progress of measuring all methods, and the times of `auto`.
static const double SHOW_MEASURED = 0.1, SHOW_CALIBRATED = 0.5;

bool viewer_has_display(void)
{
    return window_available();
}

// What the window continues from when the device was lost.
struct viewer_kept {
    bool any; // false: no volume was shown yet
    struct settings settings;
    char *path;                  // of the volume that was open; NULL: the generated one
    struct volume_params volume; // how it was read
    char *array;                 // volume.pick.array
    uint32_t width, height;      // of the window
    uint64_t frames;
    struct store store; // the sessions of the volume
};

static void viewer_keep(struct viewer *viewer, struct viewer_kept *out)
{
    struct document *document = viewer->works.document;
    *out = (struct viewer_kept){ 0 };
    if (document && (!document->path || (out->path = strdup(document->path)))) {
        out->any = true;
        out->settings = viewer->settings;
        out->volume = document->params;
        out->array = document->array;
        document->array = NULL;
        out->width = viewer->frame.width;
        out->height = viewer->frame.height;
        out->frames = viewer->works.meters.frames;
        out->store.shown = viewer->files.store.shown;
        out->store.own = viewer->files.store.own;
        out->store.path = viewer->files.store.path;
        viewer->files.store.shown = NULL;
        viewer->files.store.path = NULL;
    }
}

// Gives each part the pointers to the others that it uses.
static void viewer_join(struct viewer *viewer)
{
    viewer->message.schedule = &viewer->schedule;
    viewer->works.params = viewer->files.params = viewer->params;
    viewer->works.settings = viewer->files.settings = &viewer->settings;
    viewer->works.gpu = &viewer->gpu;
    viewer->works.schedule = &viewer->schedule;
    viewer->works.message = viewer->files.message = &viewer->message;
    viewer->works.auto_times = &viewer->calibrating;
    viewer->files.works = &viewer->works;
    viewer->files.undo = &viewer->undo;
    viewer->files.measurement = &viewer->comparing;
}

static bool viewer_create(struct viewer *viewer, struct viewer_kept *kept, struct problem *problem)
{
    const struct viewer_params *params = viewer->params;
    uint32_t width, height;
    store_size(params->session, &width, &height);
    width = params->width ? params->width : width;
    height = params->height ? params->height : height;
    if (!store_first(&viewer->files, kept->any ? &kept->settings : NULL, problem)) {
        return false;
    }
    if (kept->any) {
        viewer->works.meters.frames = kept->frames;
        viewer->files.store = kept->store;
        kept->store = (struct store){ 0 };
        width = kept->width ? kept->width : width;
        height = kept->height ? kept->height : height;
    }

    // The file is read while the window and the device are opened.
    if (!kept->any && params->missing) {
        viewer->files.nothing_opened = *params->missing;
        store_ask(&viewer->files.store, NULL, params->session, params->missing);
    } else if (
        kept->any ? !open_start_as(&viewer->files, kept->path, &kept->volume, true, problem)
                  : !open_start(&viewer->files, params->path, problem)) {
        return false;
    }
    viewer->files.open.resuming = kept->any;
    if (!window_create("cubist", width, height, &viewer->screen.window, problem)) {
        return false;
    }
    viewer->files.window = viewer->screen.window;
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
        message_say(&viewer->message, "%s.", viewer->gpu.passed_over);
    }
    viewer->gpu.budget.limit = params->memory_budget;
    pipeline_cache_load(&viewer->gpu);
    if (params->verbose) {
        notes_device(&viewer->gpu, clock_ms() - start);
    }
    if (!store_first_method(&viewer->files, problem) ||
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
            &viewer->gpu, format, viewer->settings.view.samples, &viewer->works.display.renderer,
            problem) ||
        !frame_fit_format(&viewer->gpu, &viewer->screen, problem) ||
        !ui_create(
            window_handle(viewer->screen.window), window_scale(viewer->screen.window),
            &viewer->screen.ui, problem) ||
        !frame_create(&viewer->gpu, &viewer->frame, &viewer->works.timer, problem) ||
        !surface_work_create(&viewer->works, problem) || !casts_create(&viewer->works, problem)) {
        return false;
    }
    const float scale = window_scale(viewer->screen.window);
    if (!kept->any && !params->session &&
        !input_fit_window(&viewer->settings, (float)width / scale, (float)height / scale)) {
        char key[BINDINGS_TEXT];
        message_say(
            &viewer->message, "The window is small: %s shows the panel.",
            bindings_key("panel", key));
    }
    if (*params->warning && !kept->any) {
        message_say(&viewer->message, "%s", params->warning);
    }
    viewer->files.ui = viewer->screen.ui;
    viewer_fit_area(viewer);
    if (viewer->gpu.software) {
        for (int draw = 0; draw < DRAWS; draw++) {
            schedule_time(&viewer->schedule, draw, HUGE_VAL); // slow until a time is measured
        }
    }
    if (kept->any) {
        message_say(&viewer->message, "The device was lost: everything was opened again.");
    }
    return true;
}

static void viewer_destroy(struct viewer *viewer)
{
    struct gpu *gpu = &viewer->gpu;
    exporter_destroy(viewer->files.saver.exporter);
    if (viewer->frame.in_flight) {
        gpu_wait(gpu, viewer->frame.fence, NULL);
    }
    surface_work_destroy(&viewer->works);
    open_end(&viewer->files);
    forms_end(&viewer->forms);
    casts_destroy(&viewer->works);
    document_destroy(viewer->works.document);
    auto_times_drop(&viewer->calibrating);
    store_end(&viewer->files.store);
    if (gpu->device) {
        frame_destroy(gpu, &viewer->frame, &viewer->works.timer);
        ui_draw_destroy(gpu, &viewer->screen.ui_draw);
        shown_destroy(gpu, &viewer->screen.shows);
        picture_destroy(gpu, &viewer->works.display.picture);
        renderer_destroy(gpu, &viewer->works.display.renderer);
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

// Fills the box over the picture, which shows work in the background.
static void viewer_fill_box(const struct viewer *viewer, struct ui_box *out)
{
    const struct open *opening = &viewer->files.open;
    const struct exporter *exporter = viewer->files.saver.exporter;
    const struct measurement *measurement = &viewer->comparing;
    const struct document *document = opening->cancelled ? NULL : viewer->works.uploading;
    char name[480];
    if (document || opening->loader) {
        const char *path = document ? document->path : loader_path(opening->loader);
        printable_copy(path ? document_file_name(path) : "the generated volume", name, sizeof name);
        snprintf(out->title, sizeof out->title, "%s %s", document ? "Uploading" : "Loading", name);
        // Progress counts reading as one half of loading a part. Here everything has been read
        // already, so the share is doubled.
        out->share = document ? fmin(2 * extract_progress(opening->extract).share, 1)
                              : loader_share(opening->loader);
        if (out->share < 0.995) { // more would be shown as 100 %, but more work follows
            snprintf(out->state, sizeof out->state, "%.0f %%", 100 * out->share);
        } else {
            snprintf(
                out->state, sizeof out->state, "%s",
                document ? "preparing the first surface" : "finding the range");
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
        snprintf(
            out->title, sizeof out->title, "%s",
            measurement->has_table ? "Telling the best methods apart" : "Measuring all methods");
        out->share = measurement_share(measurement);
        snprintf(
            out->state, sizeof out->state, "%.0f %%  %s", 100 * out->share,
            measurement->rows[measurement->row].name);
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
        if (why.kind == PROBLEM_LIMIT || !picture_memory_make(&viewer->works)) {
            viewer->frame.draws_panel = false;
            if (viewer->settings.text_scale > 1) {
                input_scale_text(&viewer->settings, 1);
                message_say(&viewer->message, "The device has no memory for text of this size.");
            }
            return true;
        }
    }
    return true;
}

// Lays out the panel for the next frame. *answer: what the person did since the last frame. No
// frame may be in flight.
static bool viewer_lay_out(struct viewer *viewer, struct ui_answer *answer, struct problem *problem)
{
    struct works *works = &viewer->works;
    struct screen *screen = &viewer->screen;
    if (screen->text_scale != viewer->settings.text_scale) {
        screen->text_scale = viewer->settings.text_scale;
        ui_set_scale(screen->ui, screen->text_scale * window_scale(screen->window));
    }
    struct ui_model model = {
        .gpu = &viewer->gpu,
        .settings = &viewer->settings,
        .document = works->document,
        .auto_times = &viewer->calibrating,
        .measurement = &viewer->comparing,
        .meters = &works->meters,
        .cpu_ms = viewer->frame.cpu_ms,
        .area = works->area,
        .casts = casts_ready(works),
        .prepared = casts_prepared(works),
        .cast = casts_last(works),
        .outlines = input_outlines(viewer),
        .plane = viewer->hand.planes.selected + (viewer->hand.planes.sections ? PLANES_MOST : 0),
        .making_share = works->extract ? extract_progress(works->extract).share
                        : works->pass  ? cast_pass_share(works->pass)
                                       : -1,
        .message = viewer->message.text[0] ? viewer->message.text : NULL,
        .message_is_error = viewer->message.is_error,
        .form = viewer->forms.kind != FORM_NONE ? &viewer->forms.form : NULL,
    };
    viewer_fill_box(viewer, &model.box);
    ui_frame(screen->ui, &model, answer);
    viewer_fit_area(viewer);
    if (works->area.offset.x != model.area.offset.x) {
        works_redraw(works); // the panel's width changes with this frame
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
    if (!casts_fit(&viewer->works, problem)) {
        return false;
    }
    input_refused(viewer);
    return frame_draw(viewer, problem);
}

// Does what is due between two frames: files, and parts of a volume, of a surface or of a cast.
static bool viewer_work(struct viewer *viewer, struct problem *problem)
{
    struct works *works = &viewer->works;
    open_look(&viewer->files);
    if (!open_take(&viewer->files, problem) ||
        (viewer->works.uploading && !open_go_on(&viewer->files, problem))) {
        return false;
    }
    const struct situation at = viewer_situation(viewer);
    const struct due due = viewer_due(viewer);
    if (due.drops_cast) {
        casts_end(works);
    } else if (at.cast.runs) {
        return casts_next(works, problem);
    } else if (due.gives_up) {
        surface_work_end(works);
    } else if (at.surface.runs) {
        return surface_work_go_on(works, problem);
    } else if (due.cast != PICTURE_STAYS) {
        return casts_begin(works, due.cast, problem);
    } else if (due.step && !at.surface.needs_frame) {
        return surface_work_begin(works, problem);
    }
    return true;
}

static bool viewer_has_window(struct problem *problem)
{
    const char *lost = window_lost();
    return !lost || problem_set(problem, PROBLEM_NO_DEVICE, "%s", lost);
}

// For a slice of time, measures all methods. False: the problem must end the viewer.
static bool viewer_measure(struct viewer *viewer, struct problem *problem)
{
    struct measurement *measurement = &viewer->comparing;
    struct document *document = viewer->works.document;
    const struct view *view = &viewer->settings.view;
    const struct measured of = {
        .gpu = &viewer->gpu,
        .attempt = document_attempt,
        .document = document,
        .facts = &document->facts,
        .key = document_key(document, measurement->iso),
        .times = &document->times,
        .cast = casts_measure,
        .works = &viewer->works,
    };
    struct problem why = { 0 };
    if (!document_steps(document)) {
        measurement_end(measurement); // the volume is in parts now, as a message says
        return true;
    }
    if (view->isos[view->contour] != measurement->iso ||
        view->every_brick != measurement->every_brick ||
        (measurement->casts && !casts_measures(&viewer->works))) {
        measurement_end(measurement);
        message_say(
            &viewer->message, "Measuring ended %s: another picture is wanted.",
            measurement_ended(measurement));
    } else {
        document_use_times(document, auto_times_load(&viewer->calibrating));
        if (!measurement_next(measurement, &of, SLICE_MS, &why)) {
            if (viewer->gpu.lost || why.kind == PROBLEM_INTERRUPTED) {
                *problem = why;
                return false;
            }
            message_say(
                &viewer->message, "Measuring ended %s, at %s: %s", measurement_ended(measurement),
                measurement->rows[measurement->row].name, why.text);
        } else if (!measurement->running && viewer->params->verbose) {
            char verdict[MEASUREMENT_VERDICT];
            fprintf(
                stderr, "cubist: measured %u methods at isovalue %.17g: %s\n", measurement->count,
                measurement->iso, measurement_verdict(measurement, verdict));
        }
    }
    if (!measurement->running) {
        casts_end_measuring(&viewer->works);
        schedule_measured(&viewer->schedule);
    } else if (window_time() > measurement->drawn + SHOW_MEASURED) {
        measurement->drawn = window_time();
        schedule_redraw(&viewer->schedule, 1);
    }
    return true;
}

// Measures the methods that `auto` selects from, for one slice of time. False: the viewer must end.
static bool viewer_calibrate(struct viewer *viewer, struct problem *problem)
{
    struct auto_times *times = &viewer->calibrating;
    struct document *document = viewer->works.document;
    if (!auto_times_next(times, problem)) {
        return false;
    }
    if (times->has_times) {
        document_use_times(document, auto_times_load(times));
        message_say(
            &viewer->message,
            "The methods have been measured: auto now uses their times on this device.");
    } else if (times->calibration && window_time() > times->shown + SHOW_CALIBRATED) {
        times->shown = window_time();
        schedule_redraw(&viewer->schedule, 1);
    }
    return true;
}

// One iteration of the loop. False: the problem must end the viewer.
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
    casts_look(&viewer->works);
    if (!viewer_work(viewer, problem)) {
        return false;
    }
    input_refused(viewer);
    input_ask(viewer);
    struct due due = viewer_due(viewer);
    if (due.end) {
        return true;
    }
    if (due.unsays) {
        message_unsay(&viewer->message);
        due = viewer_due(viewer);
    }
    if (due.frame) {
        if (!viewer->screen.shown) {
            window_show(viewer->screen.window);
            viewer->screen.shown = true;
        }
        return viewer_draw(viewer, problem);
    }
    if (due.prepares) {
        return casts_prepare_drafts(&viewer->works, problem);
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
        input_refused(viewer);
        struct due due = viewer_due(viewer);
        if (!saver_go_on(&viewer->files, due.exports, problem)) {
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
    if (viewer->files.nothing_opened.kind != PROBLEM_NONE) {
        *problem = viewer->files.nothing_opened; // people have read it; scripts need the exit code
        return false;
    }
    return true;
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
    viewer_join(viewer);
    bool fine = viewer_create(viewer, kept, problem);
    if (fine) {
        auto_times_offer(&viewer->calibrating, &viewer->gpu);
        picture_memory_offer(&viewer->works);
        open_await(&viewer->files, FIRST_LOAD_MS);
        works_redraw(&viewer->works);
        fine = viewer_loop(viewer, problem);
        if (!fine) {
            viewer_has_window(problem); // if the window was lost, report this instead
        }
        if (!viewer->gpu.lost) {
            store_leave(&viewer->files);
        }
    }
    *lost = viewer->gpu.lost;
    free(kept->path);
    free(kept->array);
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
    free(kept.array);
    store_end(&kept.store);
    return trace_close(&trace, fine ? problem : NULL) && fine;
}
