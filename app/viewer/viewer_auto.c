// The times that `auto` goes by, in the window: read from the cache when the method is first
// wanted; where there are none, measured in slices while nobody wants anything. Any input makes it
// pause, another method or volume ends it.
#include "app/viewer/viewer_state.h"

#include "app/base/choices.h"
#include "app/base/times_cache.h"

#include <stdio.h>
#include <stdlib.h>

static const double REST_SECONDS = 1; // without input, before a slice
static const double SLICE_MS = 30; // room for a step that takes longer than it did before, below 50
static const double SHOW_SECONDS = 0.5;

// Short streams and short runs: small in the device's memory, and soon done.
static const struct calibration_params small = {
    .sizes = 5,
    .turns = 3,
    .total_ms = 10000,
    .single_ms = 25,
};

void viewer_know_times(struct viewer *viewer)
{
    if (!viewer->chosen.method->picks) {
        return;
    }
    if (!viewer->asked_for_times) {
        viewer->asked_for_times = true;
        viewer->has_times = times_cache_load(&viewer->gpu, &viewer->times);
    }
    if (viewer->has_times && viewer->opened && viewer->opened->extraction &&
        !viewer->opened->knows_times) {
        extraction_choose_by(viewer->opened->extraction, &viewer->times);
        viewer->opened->knows_times = true;
    }
}

static bool wanted(const struct viewer *viewer)
{
    return viewer->chosen.method->picks && viewer->asked_for_times && !viewer->has_times &&
           !viewer->calibration_failed && viewer->opened && viewer->opened->extraction &&
           viewer->opened->has_result && !viewer->loader && !viewer->exporter && !viewer->quit;
}

bool viewer_calibrates(const struct viewer *viewer)
{
    return wanted(viewer) && !viewer->drag && window_time() > viewer->last_input + REST_SECONDS;
}

void viewer_drop_calibration(struct viewer *viewer)
{
    calibration_destroy(viewer->calibration);
    viewer->calibration = NULL;
}

static void take_times(struct viewer *viewer)
{
    viewer->times = *calibration_times(viewer->calibration);
    viewer->has_times = true;
    viewer_drop_calibration(viewer);
    free(times_cache_save(&viewer->gpu, &viewer->times));
    viewer_know_times(viewer);
    viewer_say(viewer, "The methods are measured: auto goes by their times on this device now.");
}

bool viewer_calibrate(struct viewer *viewer, struct problem *problem)
{
    if (viewer->calibration && !wanted(viewer)) {
        viewer_drop_calibration(viewer);
    }
    if (!viewer_calibrates(viewer)) {
        return true;
    }
    struct problem why = { 0 };
    const bool fine = (viewer->calibration ||
                       calibration_create(&viewer->gpu, &small, &viewer->calibration, &why)) &&
                      calibration_go_on(viewer->calibration, SLICE_MS, &why);
    if (!fine) {
        viewer->calibration_failed = true; // without times it goes on by the bytes
        if (viewer->gpu.lost || why.kind == PROBLEM_INTERRUPTED) {
            *problem = why;
            return false;
        }
        viewer_drop_calibration(viewer);
    } else if (calibration_done(viewer->calibration)) {
        take_times(viewer);
    } else if (window_time() > viewer->calibration_shown + SHOW_SECONDS) {
        viewer->calibration_shown = window_time();
        viewer->redraw = viewer->redraw > 1 ? viewer->redraw : 1;
    }
    return true;
}

void viewer_model_auto(struct viewer *viewer, struct ui_model *model)
{
    const struct opened *opened = viewer->opened;
    model->measuring = viewer->calibration != NULL;
    model->measuring_share = viewer->calibration ? calibration_share(viewer->calibration) : 0;
    if (opened && opened->has_result && opened->result.method->picks) {
        const struct extraction_result *result = &opened->result;
        model->chosen = choices_text(result, viewer->choice);
        snprintf(
            viewer->choice_why, sizeof viewer->choice_why, "bricks: %s\ncells: %s",
            result->bricks_choice.why, result->cells_choice.why);
        model->chosen_why = viewer->choice_why;
    }
}
