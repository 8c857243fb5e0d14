#include "app/viewer/methods/measurement.h"

#include "app/base/progress.h"
#include "app/settings/bindings.h"
#include "app/viewer/methods/auto_times.h"
#include "app/viewer/range.h"
#include "volumes/base/printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t TURNS = 8;     // the first one does not count
static const uint32_t ATTEMPTS = 20; // until the buffers are large enough, and are not new
static const double SLICE_MS = 30;
static const double SHOW_SECONDS = 0.1;
static const double NEAR = 0.01; // share of the range; see measurement_step

double measurement_share(const struct measurement *comparing)
{
    const double done = comparing->turn * (double)comparing->found.count + comparing->row;
    return done / (TURNS * (double)comparing->found.count);
}

static void measurement_end(struct viewer *viewer)
{
    viewer->comparing.running = false;
    // The lists on the device are those of the last step: the view's own method makes them again.
    schedule_again(&viewer->schedule);
    schedule_redraw(&viewer->schedule, 2);
}

void measurement_drop(struct viewer *viewer)
{
    viewer->comparing.running = false;
}

void measurement_cancel(struct viewer *viewer)
{
    measurement_end(viewer);
    viewer_say(viewer, "Measuring was cancelled: there is no table.");
}

void measurement_begin(struct viewer *viewer)
{
    struct measurement *comparing = &viewer->comparing;
    const struct document *document = viewer->document;
    struct comparison *found = &comparing->found;
    if (comparing->running || !document->has_result) {
        return;
    }
    if (!document_steps(document)) {
        viewer_say(
            viewer, "Methods are measured on a volume that the device holds in one part. This one "
                    "is in several.");
        return;
    }
    if (!viewer->gpu.timestamps) {
        viewer_say(viewer, "%s measures no times.", viewer->gpu.properties.deviceName);
        return;
    }
    auto_times_drop(viewer);
    *comparing = (struct measurement){ .running = true };
    comparing->every_brick = viewer->settings.view.every_brick;
    found->iso = viewer->settings.view.iso;
    printable_copy(document->name, found->volume, sizeof found->volume);
    printable_copy(viewer->gpu.properties.deviceName, found->device, sizeof found->device);
    for (uint32_t i = 0; i < method_count(); i++) {
        if (!viewer_refuses(viewer, method_at(i))) {
            comparing->methods[found->count] = i;
            found->rows[found->count++].method = method_at(i)->name;
        }
    }
    viewer->settings.sweeping = false;
    viewer_unsay(viewer);
}

// One step on the device, into the hidden surface. *whole: it was made. *fresh: buffers were
// allocated for it.
static bool measurement_attempt(
    struct viewer *viewer, const struct method *method, double iso,
    struct extraction_result *result, bool *fresh, struct problem *problem)
{
    const uint64_t buffers = viewer->gpu.buffers_made;
    const bool fine = document_attempt(
        viewer->document, method, iso, viewer->comparing.every_brick, result, problem);
    *fresh = viewer->gpu.buffers_made != buffers;
    return fine;
}

static void measurement_finish(struct viewer *viewer)
{
    struct measurement *comparing = &viewer->comparing;
    struct comparison *found = &comparing->found;
    for (uint32_t i = 0; i < found->count; i++) {
        found->rows[i].times = step_history_newest(&comparing->times, comparing->methods[i]);
    }
    comparing->shows = comparing->has_table = true;
    if (viewer->params->verbose) {
        fprintf(
            stderr, "cubist: measured %u methods at isovalue %.17g, each %u times\n", found->count,
            found->iso, TURNS - 1);
    }
    measurement_end(viewer);
}

// Keeps a step's time and counts, and turns to the next method.
static void measurement_keep(struct viewer *viewer, const struct extraction_result *result)
{
    struct measurement *comparing = &viewer->comparing;
    struct comparison *found = &comparing->found;
    struct comparison_row *row = &found->rows[comparing->row];
    const uint32_t index = comparing->methods[comparing->row];
    if (comparing->turn > 0) {
        const struct step_time time =
            step_time_of(result, document_key(viewer->document, result->iso));
        step_history_add(&comparing->times, index, &time);
        step_history_add(&viewer->document->times, index, &time);
    }
    row->active_cells = result->active_cells;
    row->triangles = result->triangles;
    if (result->method->selects) {
        choices_text(result, row->choice);
    }
    comparing->attempts = 0;
    comparing->is_near = false;
    if (++comparing->row == found->count) {
        comparing->row = 0;
        if (++comparing->turn == TURNS) {
            measurement_finish(viewer);
        }
    }
}

// A method that removes keeps its list from step to step: what it does for the isovalue begins at
// an isovalue near by, in a step that is not measured.
static bool measurement_step(struct viewer *viewer, struct problem *problem)
{
    struct measurement *comparing = &viewer->comparing;
    const struct method *method = method_at(comparing->methods[comparing->row]);
    const struct volume_facts *facts = &viewer->document->facts;
    double iso = comparing->found.iso;
    if (method->removes && !comparing->is_near) {
        const double below = range_step(facts, iso, -NEAR);
        iso = below < iso ? below : range_step(facts, iso, NEAR);
    }
    struct extraction_result result;
    bool fresh;
    if (!measurement_attempt(viewer, method, iso, &result, &fresh, problem)) {
        return false;
    }
    if (++comparing->attempts > ATTEMPTS) {
        return problem_set(problem, PROBLEM_DEVICE_MEMORY, "its buffers grow on and on");
    }
    if (!result.whole) {
        comparing->is_near = false; // nothing is kept of such a step
    } else if (method->removes && !comparing->is_near) {
        comparing->is_near = true;
    } else if (fresh && comparing->turn > 0) {
        comparing->is_near = false;
    } else {
        measurement_keep(viewer, &result);
    }
    return true;
}

bool measurement_go_on(struct viewer *viewer, struct problem *problem)
{
    struct measurement *comparing = &viewer->comparing;
    const struct view *view = &viewer->settings.view;
    struct problem why = { 0 };
    if (!document_steps(viewer->document)) {
        measurement_drop(viewer); // there was no memory left for it; a message says so
        return true;
    }
    if (view->iso != comparing->found.iso || view->every_brick != comparing->every_brick) {
        measurement_end(viewer);
        viewer_say(viewer, "Measuring ended without a table: another surface is wanted.");
        return true;
    }
    auto_times_load_times(viewer);
    const double start = clock_ms();
    while (comparing->running && clock_ms() < start + SLICE_MS) {
        if (measurement_step(viewer, &why)) {
            continue;
        }
        if (viewer->gpu.lost || why.kind == PROBLEM_INTERRUPTED) {
            *problem = why;
            return false;
        }
        const char *name = comparing->found.rows[comparing->row].method;
        measurement_end(viewer);
        viewer_say(viewer, "Measuring ended without a table, at %s: %s", name, why.text);
        return true;
    }
    if (window_time() > comparing->drawn + SHOW_SECONDS) {
        comparing->drawn = window_time();
        schedule_redraw(&viewer->schedule, 1);
    }
    return true;
}

void measurement_copy(struct viewer *viewer)
{
    const struct measurement *comparing = &viewer->comparing;
    if (!comparing->has_table) {
        char hint[BINDINGS_HINT];
        bindings_hint("measure-all", "measures all methods", hint);
        if (comparing->running) {
            viewer_say(viewer, "The table can be copied when all methods are measured.");
        } else {
            viewer_say(viewer, "There is no table to copy yet%s%s.", *hint ? ": " : "", hint);
        }
        return;
    }
    char *text = comparison_csv(&comparing->found);
    if (!text) {
        viewer_say(viewer, "Out of memory for the table.");
        return;
    }
    window_copy(viewer->screen.window, text);
    viewer_say(viewer, "Copied the times of %u methods as CSV.", comparing->found.count);
    free(text);
}
