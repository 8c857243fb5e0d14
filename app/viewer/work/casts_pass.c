#include "app/viewer/work/casts_pass.h"

#include "app/viewer/work/casts.h"
#include "app/viewer/work/casts_parts.h"

static const double SLICE_MS = 10; // of work before the next look at events

// After a failure: a second attempt, with more room; or triangles.
static bool
casts_pass_survive(struct viewer *viewer, const struct problem *why, struct problem *problem)
{
    struct casts_parts *parts = &viewer->casts.parts;
    casts_parts_end(viewer);
    if (viewer->gpu.lost || why->kind == PROBLEM_INTERRUPTED) {
        *problem = *why;
        return false;
    }
    if (why->kind == PROBLEM_DEVICE_MEMORY && !parts->again && casts_make_room(viewer)) {
        parts->again = true;
        viewer_redraw(viewer);
    } else {
        casts_refuse(viewer, why);
    }
    return true;
}

bool casts_pass_begin(struct viewer *viewer, enum due_picture picture, struct problem *problem)
{
    struct problem why = { 0 };
    if (!casts_fit(viewer, problem)) {
        return false;
    }
    if (!viewer_casts(viewer) || viewer->casts.steady) {
        return true;
    }
    schedule_put_off(&viewer->schedule, window_time());
    return casts_parts_begin(viewer, picture, &why) || casts_pass_survive(viewer, &why, problem);
}

bool casts_pass_go_on(struct viewer *viewer, struct problem *problem)
{
    struct problem why = { 0 };
    return casts_parts_go_on(viewer, SLICE_MS, &why) || casts_pass_survive(viewer, &why, problem);
}
