#include "app/viewer/panel/panel.h"

#include "app/base/promises.h"
#include "app/picture/listed.h"
#include "app/viewer/methods/measurement.h"
#include "app/viewer/work/picture_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void panel_fill_files(const struct viewer *viewer, struct ui_model *model)
{
    const struct open *opening = &viewer->opening;
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
    const struct cast_pass *cast = &viewer->casts.parts.pass;
    model->making_share = extract       ? extract_progress(extract).share
                          : cast->parts ? cast_pass_share(cast)
                                        : -1;
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

static void panel_fill_comparing(const struct viewer *viewer, struct ui_model *model, char text[64])
{
    const struct measurement *comparing = &viewer->comparing;
    if (comparing->running) {
        snprintf(
            text, 64, "%.0f %%  %s", 100 * measurement_share(comparing),
            comparing->found.rows[comparing->row].method);
        model->comparing = text;
        model->measurement_share = measurement_share(comparing);
    }
    model->table = comparing->shows ? &comparing->found : NULL;
}

// What `auto` selected, why, and by what times.
static void panel_fill_auto(struct viewer *viewer, struct ui_model *model)
{
    const struct extraction_result *result = &viewer->document->result;
    struct auto_times *calibrating = &viewer->calibrating;
    const struct extraction_choice *cells = &result->cells_choice;
    const size_t size = sizeof calibrating->lines[0];
    const char *others = strstr(cells->why, "; "); // the selector's words about the next method
    char choices[CHOICES_TEXT];
    snprintf(calibrating->lines[0], size, "%s", choices_text(result, choices));
    snprintf(
        calibrating->lines[1], size, "cells: %.3g ms predicted%s",
        (double)cells->predicted_ms[method_row(cells->method)], others ? others : "");
    if (calibrating->calibration) {
        snprintf(
            calibrating->lines[2], size, "measuring the methods while idle: %.0f %%",
            100 * calibration_share(calibrating->calibration));
    } else {
        snprintf(
            calibrating->lines[2], size, "%s",
            calibrating->has_times ? "by times that were measured on this device"
                                   : "by the bytes that methods move: not measured yet");
    }
    snprintf(
        calibrating->why, sizeof calibrating->why, "bricks: %s\ncells: %s",
        result->bricks_choice.why, cells->why);
    model->predicts = true;
    model->why = calibrating->why;
    for (int i = 0; i < 3; i++) {
        model->details[i] = calibrating->lines[i];
    }
}

static void panel_fill_method(struct viewer *viewer, struct ui_model *model)
{
    const struct document *document = viewer->document;
    const struct ui_method *method = &model->methods[model->method];
    if (document && document->has_result && viewer->settings.view.method->selects &&
        document->result.method->selects) {
        panel_fill_auto(viewer, model);
        return;
    }
    model->details[0] = method->summary;
    model->details[1] = method->promises;
    model->details[2] = method->paper;
}

// Which method the rays take: it may be another than the selected one.
static void
panel_fill_compacting(const struct viewer *viewer, struct ui_model *model, char text[96])
{
    const struct caster *caster = view_caster(&viewer->settings.view);
    if (!viewer_casts(viewer)) {
        return;
    }
    if (caster->wavefront) {
        const struct method *method = wavefront_method(viewer->casts.prepared);
        snprintf(text, 96, "rays are compacted by %s", method->name);
    } else {
        snprintf(text, 96, "rays of %s are not compacted", caster->name);
    }
    model->details[2] = text;
}

static void panel_fill(struct viewer *viewer, struct ui_model *model)
{
    const struct document *document = viewer->document;
    if (document) {
        model->file = document->name;
        model->volume = &document->volume;
        model->facts = &document->facts;
        // With rays the mesh may be of another isovalue than the picture.
        model->rays = viewer->settings.view.draw == DRAW_RAYS;
        model->caster = view_caster(&viewer->settings.view)->name;
        model->cast = viewer->casts.last.caster ? &viewer->casts.last : NULL;
        model->has_result = document->has_result &&
                            (!model->rays || document->result.iso == viewer->settings.view.iso);
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
    panel_fill_method(viewer, model);

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

static struct ui_method
panel_method(const struct viewer *viewer, uint32_t row, const struct promises *promises)
{
    const struct document *document = viewer->document;
    const struct method *method = method_at(row);
    struct ui_method out = {
        .name = method->name,
        .summary = method->summary,
        .paper = method->paper,
        .promises = promises->text,
        .reason = viewer_refuses(viewer, method),
        .selects = method->selects,
    };
    if (!document) {
        return out;
    }
    out.times = document_times(document, method, viewer->settings.view.iso);
    out.is_here = out.times.steps > 0;
    if (!out.is_here) {
        out.times = step_history_newest(&document->times, row);
    }
    if (document->has_result && document->result.method->selects) {
        out.predicted_ms[0] = document->result.bricks_choice.predicted_ms[row];
        out.predicted_ms[1] = document->result.cells_choice.predicted_ms[row];
    }
    return out;
}

// Right of a square of the pyramid, at its middle.
static void panel_beside(const struct viewer *viewer, const float square[3], float out[2])
{
    out[0] = (float)viewer_area(viewer).offset.x + square[0] + square[2];
    out[1] = (float)viewer_area(viewer).offset.y + square[1] + square[2] / 2;
}

static void
panel_fill_legend(const struct viewer *viewer, struct ui_model *model, struct legend *legend)
{
    const struct document *document = viewer->document;
    struct extraction_lists lists;
    *legend = (struct legend){ 0 };
    model->legend = legend;
    if (document && document->has_result) {
        legend_of(
            viewer_casts(viewer) ? SHOW_SURFACE : viewer->settings.view.show, &document->result,
            document_lists(document, &lists) ? lists.method : NULL, document->in_parts,
            document->volume.dim, legend);
    }
    if (legend->levels > 0 && legend->levels <= LISTED_LEVELS) {
        float squares[LISTED_LEVELS][3];
        const VkExtent2D size = viewer_area(viewer).extent;
        listed_squares((float)size.width, (float)size.height, squares);
        panel_beside(viewer, squares[0], model->base_at);
        panel_beside(viewer, squares[legend->levels - 1], model->apex_at);
    }
}

bool panel_lay_out(struct viewer *viewer, struct ui_answer *answer, struct problem *problem)
{
    struct ui_model model = { 0 };
    struct ui_method rows[STEP_HISTORY_METHODS];
    struct promises promises[STEP_HISTORY_METHODS];
    char comparing[64], compacting[96];
    for (uint32_t i = 0; i < method_count(); i++) {
        promises[i] = promises_of(method_at(i));
        rows[i] = panel_method(viewer, i, &promises[i]);
    }
    model.method_count = method_count();
    model.methods = rows;
    panel_fill_comparing(viewer, &model, comparing);
    panel_fill(viewer, &model);
    panel_fill_compacting(viewer, &model, compacting);
    struct legend legend;
    panel_fill_legend(viewer, &model, &legend);
    const VkRect2D before = viewer_area(viewer);
    ui_frame(viewer->screen.ui, &model, answer);
    if (viewer_area(viewer).offset.x != before.offset.x) {
        viewer_redraw(viewer); // the panel's width changes with this frame
    }
    return panel_prepare(viewer, problem);
}
