#include "app/viewer/panel.h"

#include "app/base/promises.h"
#include "app/viewer/room.h"

#include <math.h>
#include <stdio.h>

static void panel_fill_files(const struct viewer *viewer, struct ui_model *model)
{
    const struct opening *opening = &viewer->opening;
    const struct exporter *exporter = viewer->saving.exporter;
    const struct document *document = opening->cancelled ? NULL : opening->document;
    const char *path = document          ? document->path
                       : opening->loader ? loader_path(opening->loader)
                                         : NULL;
    if (document || opening->loader) {
        model->uploading = document;
        model->loading = path ? loader_file_name(path) : "the generated volume";
        // Progress counts reading as one half of loading a part to the device. Here all is read
        // already.
        model->loading_share = document ? fmin(2 * extract_progress(opening->extract).share, 1)
                                        : loader_share(opening->loader);
    }
    if (exporter) {
        model->exporting = exporter_path(exporter);
        model->exporting_share = exporter_share(exporter);
    }
}

static void panel_fill_parts(const struct viewer *viewer, struct ui_model *model)
{
    const struct document *document = viewer->document;
    const struct extract *extract = viewer->making.extract;
    model->making_share = extract ? extract_progress(extract).share : -1;
    if (document && document->in_parts) {
        const struct extract_totals *found = &document->totals;
        model->in_parts = true;
        model->parts = found->parts;
        model->parts_held = found->held;
        model->parts_loaded = found->loaded;
        model->parts_missed = found->missed;
        model->bytes_read = found->bytes_read;
    }
}

static void panel_fill_auto(struct viewer *viewer, struct ui_model *model)
{
    const struct document *document = viewer->document;
    struct calibrating *calibrating = &viewer->calibrating;
    model->measuring = calibrating->calibration;
    model->measuring_share =
        calibrating->calibration ? calibration_share(calibrating->calibration) : 0;
    if (document && document->has_result && document->result.method->selects) {
        const struct extraction_result *result = &document->result;
        model->selected = choices_text(result, calibrating->choice);
        snprintf(
            calibrating->why, sizeof calibrating->why, "bricks: %s\ncells: %s",
            result->bricks_choice.why, result->cells_choice.why);
        model->times_why = calibrating->why;
    }
}

static void panel_fill(struct viewer *viewer, struct ui_model *model)
{
    const struct document *document = viewer->document;
    if (document) {
        model->file = document->name;
        model->volume = &document->volume;
        model->facts = &document->facts;
        model->has_result = document->has_result;
        model->active_cells = document->result.active_cells;
        model->vertices = document->result.vertices;
        model->triangles = document->result.triangles;
        const struct extraction_result *result = &document->result;
        model->every_brick = result->bricks > 0 && result->active_bricks == result->bricks &&
                             viewer->settings.view.every_brick;
        if (document->has_result) {
            const uint32_t sample_bytes = volume_type_size(document->volume.type);
            model->bricks_skipped = 1 - (double)result->active_bricks / (double)result->bricks;
            model->bytes_per_voxel = (double)extraction_bytes_moved(result, sample_bytes) /
                                     (double)volume_count(&document->volume);
        }
        model->removes = result->method && result->method->removes;
        model->cells_removed = result->cells_events.removed;
        model->cells_entered = result->cells_events.entered;
        model->removal_ms = result->removal_ms;
    }
    model->settings = &viewer->settings;
    model->method = method_row(viewer->settings.view.method);
    model->history = viewer->meters.history;
    model->history_count = viewer->meters.history_count;
    model->device = viewer->gpu.properties.deviceName;
    model->cpu_ms = viewer->frame.cpu_ms;
    model->gpu_ms = viewer->meters.gpu_ms;
    model->fps = viewer->meters.fps;
    model->message = viewer->message.text[0] ? viewer->message.text : NULL;
    model->message_is_error = viewer->message.is_error;
    model->form = viewer->forms.type ? &viewer->forms.form : NULL;
    panel_fill_files(viewer, model);
    panel_fill_parts(viewer, model);
    panel_fill_auto(viewer, model);

    if (document) {
        const float height = (float)viewer_area(viewer).extent.height;
        model->unit_pixels = (double)camera_pixels(&viewer->settings.view.camera, height) /
                             document->placement.units;
    }
    struct camera_matrices matrices;
    camera_matrices(&viewer->settings.view.camera, 1, 1, &matrices);
    for (int c = 0; document && c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            for (int i = 0; i < 3; i++) {
                model->axes[c][r] += matrices.view[i][r] * document->placement.axes[c][i];
            }
        }
    }
}

// If there is too little memory for the panel, it is not drawn. Only large text needs much.
static bool panel_prepare(struct viewer *viewer, struct problem *problem)
{
    struct problem why;
    viewer->frame.draws_panel = true;
    while (!ui_draw_prepare(&viewer->gpu, &viewer->screen.ui_draw, viewer->screen.ui, &why)) {
        if (!problem_of_size(why.kind)) {
            return problem_set(problem, why.kind, "%s", why.text);
        }
        if (why.kind == PROBLEM_LIMIT || !room_make(viewer)) {
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

_Static_assert(METHODS_MOST <= UI_METHODS, "the panel lists every method");

bool panel_lay_out(struct viewer *viewer, struct ui_answer *answer, struct problem *problem)
{
    struct ui_model model = { 0 };
    struct ui_method rows[UI_METHODS];
    struct promises promises[UI_METHODS];
    struct ui_stage stages[UI_STAGES];
    for (uint32_t i = 0; i < method_count(); i++) {
        promises[i] = promises_of(method_at(i));
        rows[i] = (struct ui_method){
            .name = method_at(i)->name,
            .summary = method_at(i)->summary,
            .paper = method_at(i)->paper,
            .promises = promises[i].text,
            .reason = viewer_refuses(viewer, method_at(i)),
            .ms = viewer->document ? viewer->document->took[i].ms : 0,
            .iso = viewer->document ? viewer->document->took[i].iso : 0,
        };
    }
    model.method_count = method_count();
    model.methods = rows;
    if (viewer->document) {
        const struct extraction_result *result = &viewer->document->result;
        for (uint32_t i = 0; i < result->stage_count && i < UI_STAGES; i++) {
            stages[i] = (struct ui_stage){
                .name = result->stages[i].name,
                .ms = result->stage_ms[i],
            };
            model.stage_count = i + 1;
        }
    }
    model.stages = stages;
    panel_fill(viewer, &model);
    const VkRect2D before = viewer_area(viewer);
    ui_frame(viewer->screen.ui, &model, answer);
    if (viewer_area(viewer).offset.x != before.offset.x) {
        viewer_redraw(viewer); // the panel's width changes with this frame
    }
    return panel_prepare(viewer, problem);
}
