#include "app/viewer/methods/auto_times.h"

#include "app/base/times_cache.h"

#include <stdlib.h>

static const double SLICE_MS = 30; // below 50, because a step may take longer than the last time
static const double SHOW_SECONDS = 0.5;

// Short streams and short runs need little device memory and little time.
static const struct calibration_params small = {
    .sizes = 5,
    .turns = 3,
    .total_ms = 10000,
    .single_ms = 25,
};

void auto_times_load_times(struct viewer *viewer)
{
    struct auto_times *calibrating = &viewer->calibrating;
    struct document *document = viewer->document;
    if (!calibrating->asked) {
        calibrating->asked = true;
        calibrating->has_times = times_cache_load(&viewer->gpu, &calibrating->times);
    }
    if (calibrating->has_times && document) {
        document_use_times(document, &calibrating->times);
    }
}

void auto_times_apply_times(struct viewer *viewer)
{
    if (viewer->settings.view.method->selects) {
        auto_times_load_times(viewer);
    }
}

static bool auto_times_give_up(void *user)
{
    struct viewer *viewer = user;
    const bool had = viewer->calibrating.calibration;
    auto_times_drop(viewer);
    return had;
}

void auto_times_offer(struct viewer *viewer)
{
    budget_offer(&viewer->gpu.budget, GIVE_UP_CALIBRATION, auto_times_give_up, viewer);
}

void auto_times_drop(struct viewer *viewer)
{
    calibration_destroy(viewer->calibrating.calibration);
    viewer->calibrating.calibration = NULL;
}

static void auto_times_take_times(struct viewer *viewer)
{
    struct auto_times *calibrating = &viewer->calibrating;
    calibrating->times = *calibration_times(calibrating->calibration);
    calibrating->has_times = true;
    auto_times_drop(viewer);
    free(times_cache_save(&viewer->gpu, &calibrating->times));
    auto_times_apply_times(viewer);
    viewer_say(viewer, "The methods have been measured: auto now uses their times on this device.");
}

bool auto_times_go_on(struct viewer *viewer, struct problem *problem)
{
    struct auto_times *calibrating = &viewer->calibrating;
    struct problem why = { 0 };
    const bool fine = (calibrating->calibration ||
                       calibration_create(&viewer->gpu, &small, &calibrating->calibration, &why)) &&
                      calibration_go_on(calibrating->calibration, SLICE_MS, &why);
    if (!fine) {
        calibrating->failed = true; // without times auto estimates from the bytes moved
        if (viewer->gpu.lost || why.kind == PROBLEM_INTERRUPTED) {
            *problem = why;
            return false;
        }
        auto_times_drop(viewer);
    } else if (calibration_done(calibrating->calibration)) {
        auto_times_take_times(viewer);
    } else if (window_time() > calibrating->shown + SHOW_SECONDS) {
        calibrating->shown = window_time();
        schedule_redraw(&viewer->schedule, 1);
    }
    return true;
}
