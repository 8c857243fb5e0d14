#include "app/viewer/methods/auto_times.h"

#include "app/base/cache.h"

#include <stdlib.h>

static const double SLICE_MS = 30; // below 50, because a step may take longer than it did before

// Short streams and short runs need little device memory and little time.
static const struct calibration_params small = {
    .sizes = 5,
    .turns = 3,
    .total_ms = 10000,
    .single_ms = 25,
};

static bool auto_times_give_up(void *user)
{
    struct auto_times *times = user;
    const bool had = times->calibration;
    auto_times_drop(times);
    return had;
}

void auto_times_offer(struct auto_times *times, struct gpu *gpu)
{
    times->gpu = gpu;
    budget_offer(&gpu->budget, GIVE_UP_CALIBRATION, auto_times_give_up, times);
}

const struct times *auto_times_load(struct auto_times *times)
{
    if (!times->asked) {
        times->asked = true;
        times->has_times = times_cache_load(times->gpu, &times->times);
    }
    return times->has_times ? &times->times : NULL;
}

void auto_times_drop(struct auto_times *times)
{
    calibration_destroy(times->calibration);
    times->calibration = NULL;
}

bool auto_times_next(struct auto_times *times, struct problem *problem)
{
    struct problem why = { 0 };
    if ((!times->calibration &&
         !calibration_create(times->gpu, &small, &times->calibration, &why)) ||
        !calibration_go_on(times->calibration, SLICE_MS, &why)) {
        times->failed = true; // without times, `auto` estimates from the bytes moved
        if (times->gpu->lost || why.kind == PROBLEM_INTERRUPTED) {
            *problem = why;
            return false;
        }
        auto_times_drop(times);
    } else if (calibration_done(times->calibration)) {
        times->times = *calibration_times(times->calibration);
        times->has_times = true;
        auto_times_drop(times);
        free(times_cache_save(times->gpu, &times->times));
    }
    return true;
}
