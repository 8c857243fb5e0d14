#include "app/viewer/viewer_state.h"

#include "app/base/notes.h"
#include "app/base/progress.h"
#include "volumes/base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double MESSAGE_SECONDS = 8;
static const double REFINE_SECONDS = 0.3; // of rest, before a draft is drawn in full
static const double FIRST_LOAD_MS = 250;  // small volumes are there in the first frame

bool viewer_has_display(void)
{
    return window_available();
}

void viewer_say(struct viewer *viewer, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    const bool fine = vasprintf(&text, format, arguments) >= 0;
    va_end(arguments);
    printable_copy(fine ? text : format, viewer->message, sizeof viewer->message);
    free(fine ? text : NULL);
    viewer->message_is_error = false;
    viewer->message_about = ABOUT_OTHERS;
    viewer->message_until = window_time() + MESSAGE_SECONDS;
    viewer->redraw = 2;
}

void viewer_complain(struct viewer *viewer, const struct problem *problem)
{
    memcpy(viewer->message, problem->text, sizeof viewer->message);
    viewer->message_is_error = true;
    viewer->message_about = ABOUT_OTHERS;
    viewer->message_until = 0;
    viewer->redraw = 2;
}

void viewer_unsay(struct viewer *viewer)
{
    viewer->message[0] = 0;
    viewer->message_about = ABOUT_OTHERS;
    viewer->message_until = 0;
    viewer->redraw = viewer->redraw > 2 ? viewer->redraw : 2;
}

void viewer_show(struct viewer *viewer)
{
    if (!viewer->shown) {
        window_show(viewer->window);
        viewer->shown = true;
    }
}

void viewer_set_iso(struct viewer *viewer, double iso)
{
    viewer->chosen.iso = iso;
    viewer->chosen.iso_is_auto = false;
}

VkRect2D viewer_area(const struct viewer *viewer)
{
    const VkExtent2D all = viewer->swapchain.extent;
    const struct ui_model model = { .show_panel = viewer->chosen.panel };
    const uint32_t panel = (uint32_t)ui_panel_width(viewer->ui, &model);
    VkRect2D area = { .extent = all };
    if (panel + 16 < all.width) {
        area.offset.x = (int32_t)panel;
        area.extent.width -= panel;
    }
    return area;
}

void viewer_redraw(struct viewer *viewer)
{
    viewer->picture_is_old = true;
    viewer->moved = window_time();
    viewer->redraw = viewer->redraw > 2 ? viewer->redraw : 2;
}

double viewer_refine_at(const struct viewer *viewer)
{
    return viewer->moved + REFINE_SECONDS;
}

const char *viewer_refuses(const struct viewer *viewer, const struct method *method)
{
    return viewer->opened && viewer->opened->extraction
               ? extraction_refuses(viewer->opened->extraction, method)
               : method_unavailable(method, &viewer->gpu);
}

static bool pick_method(struct viewer *viewer, struct problem *problem)
{
    const struct method *wanted = viewer->params->method;
    if (!viewer->chosen.method) {
        viewer->chosen.method = wanted ? wanted : method_default();
    }
    const char *reason = viewer_refuses(viewer, viewer->chosen.method);
    if (reason && viewer->chosen.method == wanted) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED, "--method %s cannot run on %s: %s", wanted->name,
            viewer->gpu.properties.deviceName, reason);
    }
    return !reason || viewer_next_method(viewer, +1) ||
           problem_set(
               problem, PROBLEM_UNSUPPORTED, "no compaction method can run on %s: %s",
               viewer->gpu.properties.deviceName, reason);
}

// What outlives a lost device.
struct kept {
    bool any; // false: nothing was shown yet
    struct chosen chosen;
    char *path;             // of the volume that was open; NULL: the generated one
    uint32_t width, height; // of the window
    uint64_t frames;
};

static void keep(const struct viewer *viewer, struct kept *out)
{
    const struct opened *opened = viewer->opened;
    *out = (struct kept){ 0 };
    if (opened && (!opened->path || (out->path = strdup(opened->path)))) {
        out->any = true;
        out->chosen = viewer->chosen;
        out->width = viewer->frame.width;
        out->height = viewer->frame.height;
        out->frames = viewer->frames;
    }
}

static bool create(struct viewer *viewer, const struct kept *kept, struct problem *problem)
{
    const struct viewer_params *params = viewer->params;
    uint32_t width = params->width ? params->width : 1280;
    uint32_t height = params->height ? params->height : 800;
    viewer->chosen.camera.distance = 3;
    viewer->chosen.panel = viewer->chosen.axes = true;
    viewer->chosen.text_scale = 1;
    viewer->chosen.every_brick = params->every_brick;
    if (kept->any) {
        viewer->chosen = kept->chosen;
        viewer->frames = kept->frames;
        width = kept->width ? kept->width : width;
        height = kept->height ? kept->height : height;
    }

    // The file is read while window and device are being opened.
    if (!viewer_open(viewer, kept->any ? kept->path : params->path, problem)) {
        return false;
    }
    viewer->resuming = kept->any;
    if (!window_create("cubist", width, height, &viewer->window, problem)) {
        return false;
    }
    struct gpu_params gpu = {
        .device = params->device,
        .validate = params->validate,
        .present = true,
    };
    gpu.extensions = window_extensions(&gpu.extension_count);
    const double start = clock_ms();
    if (!gpu_create(&gpu, &viewer->gpu, problem)) {
        return false;
    }
    if (params->verbose) {
        notes_device(&viewer->gpu, clock_ms() - start);
    }
    if (!pick_method(viewer, problem) ||
        !swapchain_create(&viewer->gpu, viewer->window, &viewer->swapchain, problem)) {
        return false;
    }
    viewer->swapchain.extent = (VkExtent2D){ width, height };
    const VkFormat shown = viewer->swapchain.format;
    const bool blue_first = shown == VK_FORMAT_B8G8R8A8_UNORM || shown == VK_FORMAT_B8G8R8A8_SRGB;
    const VkFormat format = blue_first ? VK_FORMAT_B8G8R8A8_SRGB : VK_FORMAT_R8G8B8A8_SRGB;
    if (!renderer_create(&viewer->gpu, format, &viewer->renderer, problem) ||
        !ui_draw_create(&viewer->gpu, shown, viewer->swapchain.linear, &viewer->ui_draw, problem) ||
        !ui_create(
            window_handle(viewer->window), window_scale(viewer->window), &viewer->ui, problem) ||
        !frame_create(viewer, problem)) {
        return false;
    }
    const float scale = window_scale(viewer->window);
    const bool small = (float)width < 700 * scale || (float)height < 450 * scale;
    if (small && !kept->any) {
        viewer->chosen.panel = false;
        viewer_say(viewer, "The window is small: Tab shows the panel.");
    }
    if (kept->any) {
        ui_set_scale(viewer->ui, viewer->chosen.text_scale * scale);
        viewer_say(viewer, "The device was lost: everything was opened once more.");
    }
    return true;
}

static void destroy(struct viewer *viewer)
{
    struct gpu *gpu = &viewer->gpu;
    loader_destroy(viewer->loader);
    exporter_destroy(viewer->exporter);
    free(viewer->place);
    if (viewer->frame.in_flight) {
        gpu_wait(gpu, viewer->frame.fence, NULL);
    }
    opened_destroy(gpu, viewer->opened);
    viewer_drop_calibration(viewer);
    if (gpu->device) {
        frame_destroy(viewer);
        ui_draw_destroy(gpu, &viewer->ui_draw);
        picture_destroy(gpu, &viewer->picture);
        renderer_destroy(gpu, &viewer->renderer);
        swapchain_destroy(gpu, &viewer->swapchain);
    }
    ui_destroy(viewer->ui);
    gpu_destroy(gpu);
    if (gpu->lost) {
        window_leave(viewer->window);
    } else {
        window_destroy(viewer->window);
    }
}

// How long the next look at events may wait for one, in seconds.
static double patience(const struct viewer *viewer)
{
    if (viewer->redraw || viewer->export_due || viewer->picture_is_old || frame_due(viewer) ||
        viewer->sweeping || (viewer->params->exit_after && viewer->opened)) {
        return 0;
    }
    if (viewer->picture_is_draft) {
        const double left = viewer_refine_at(viewer) - window_time();
        return left > 0 ? left : 0;
    }
    if (viewer_calibrates(viewer)) {
        return 1e-3;
    }
    return viewer->loader || viewer->exporter || viewer->message_until > 0 ? 0.05 : 0.25;
}

static void expire_message(struct viewer *viewer)
{
    if (viewer->message_until > 0 && window_time() > viewer->message_until) {
        viewer_unsay(viewer);
    }
}

static bool exporting(const struct viewer *viewer)
{
    return viewer->exporter || viewer->export_due;
}

static bool loop(struct viewer *viewer, struct problem *problem)
{
    const uint64_t enough = viewer->params->exit_after;
    bool started = true;
    while (!viewer->quit || exporting(viewer)) { // a mesh is written before the window closes
        if (!frame_finish(viewer, problem) || !viewer_export(viewer, problem)) {
            return false;
        }
        if (enough && !exporting(viewer) && viewer->frames >= enough && !frame_due(viewer)) {
            return true;
        }
        window_poll(started ? patience(viewer) : 0.25);
        if (interrupted) {
            return problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
        }
        viewer_input(viewer);
        if (!viewer_adopt(viewer, problem)) {
            return false;
        }
        if (viewer->quit && !exporting(viewer)) {
            continue;
        }
        viewer_sweep(viewer);
        expire_message(viewer);
        if (viewer->picture_is_draft && window_time() >= viewer_refine_at(viewer)) {
            viewer->picture_is_old = true;
        }
        if (patience(viewer) > 0 && !viewer->loader && !viewer->exporter) {
            // A text field's caret blinks.
            if (!ui_wants_text(viewer->ui)) {
                if (!viewer_calibrate(viewer, problem)) {
                    return false;
                }
                continue;
            }
        }
        if (!viewer_walk(viewer, problem) || !frame_start(viewer, &started, problem)) {
            return false;
        }
        viewer->hidden = !started && !viewer->swapchain.now.handle;
        viewer->redraw -= started && viewer->redraw > 0;
    }
    if (!frame_finish(viewer, problem)) {
        return false;
    }
    if (viewer->nothing_opened.kind != PROBLEM_NONE) {
        *problem = viewer->nothing_opened; // people have read it, scripts go by the code
        return false;
    }
    return true;
}

// Gives a small volume the time to be there before the window is.
static void await_first(struct viewer *viewer)
{
    for (int i = 0; i < FIRST_LOAD_MS / 2 && viewer->loader && !viewer->opened; i++) {
        if (!loader_busy(viewer->loader)) {
            return;
        }
        usleep(2000);
    }
}

// Goes on from `kept` and, where the device is lost, leaves there what the next run goes on from.
static bool
run(const struct viewer_params *params, struct trace *trace, struct kept *kept, bool *lost,
    struct problem *problem)
{
    struct viewer *viewer = calloc(1, sizeof *viewer);
    if (!viewer) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the viewer");
    }
    viewer->params = params;
    viewer->trace = trace;
    viewer->walk_share = -1;
    bool fine = create(viewer, kept, problem);
    if (fine) {
        await_first(viewer);
        fine = viewer_adopt(viewer, problem);
    }
    if (fine) {
        viewer_show(viewer);
        viewer_redraw(viewer);
        fine = loop(viewer, problem);
    }
    *lost = viewer->gpu.lost;
    free(kept->path);
    keep(viewer, kept);
    destroy(viewer);
    if (fine && viewer->gpu.messages > 0) {
        fine = problem_set(
            problem, PROBLEM_INTERNAL, "the validation layers had %u messages",
            viewer->gpu.messages);
    }
    if (!viewer->gpu.lost) {
        free(viewer); // the driver may still know parts of a lost one
    }
    return fine;
}

bool viewer_run(const struct viewer_params *params, struct problem *problem)
{
    struct trace trace;
    if (!trace_open(params->trace, &trace, problem)) {
        return false;
    }
    struct kept kept = { 0 };
    bool lost = false, fine = run(params, &trace, &kept, &lost, problem);
    if (!fine && lost && !interrupted) {
        fprintf(stderr, "cubist: %s; opening everything once more\n", problem->text);
        fine = run(params, &trace, &kept, &lost, problem);
    }
    free(kept.path);
    return trace_close(&trace, fine ? problem : NULL) && fine;
}
