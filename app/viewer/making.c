#include "app/viewer/making.h"

#include "app/cli/piecewise.h"
#include "app/viewer/calibrating.h"
#include "app/viewer/room.h"
#include "compute/extraction/slabs_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct slabs_params
making_params(const struct viewer *viewer, const struct document *document)
{
    return (struct slabs_params){
        .volume = &document->volume,
        .source = document->in.file.path ? &document->in.source : NULL,
        .ranges = document->in.ranges,
        .times = viewer->calibrating.has_times ? &viewer->calibrating.times : NULL,
        .budget = viewer->params->memory_budget,
        .several = document->in.several,
    };
}

// With room for larger windows, if that leaves enough.
static bool making_plan(
    struct viewer *viewer, const struct slabs_params *params, struct slabs_plan *out,
    struct problem *problem)
{
    room_reserve(viewer, true);
    if (slabs_plan(&viewer->gpu, params, out, NULL)) {
        return true;
    }
    room_reserve(viewer, false);
    return slabs_plan(&viewer->gpu, params, out, problem);
}

bool making_cut(struct viewer *viewer, struct document *document, struct problem *problem)
{
    struct slabs_params params = making_params(viewer, document);
    struct slabs_plan found;
    if (!making_plan(viewer, &params, &found, problem)) {
        return false;
    }
    const uint32_t most = piecewise_layers(&viewer->gpu, &document->volume);
    params.layers = most && most < found.layers ? most : found.layers;
    if (!slabs_create(&viewer->gpu, &params, &document->in.slabs, problem)) {
        return false;
    }
    document->reserve = viewer->gpu.budget.reserve[PURPOSE_PICTURE];
    free(document->in.ranges);
    document->in.ranges = NULL;
    if (viewer->params->verbose) {
        const struct slabs_plan *planned = slabs_planned(document->in.slabs);
        fprintf(
            stderr, "cubist: %u slabs of up to %u layers of cells, in %.1f MiB of device memory\n",
            planned->count, planned->layers, (double)planned->budget / 0x1p20);
    }
    return true;
}

// How the volume would be cut once all that is on the device but the picture is given back. The
// reserve stays as it is.
static bool
making_plan_alone(struct viewer *viewer, const struct slabs_params *params, struct slabs_plan *out)
{
    struct gpu *gpu = &viewer->gpu;
    const uint64_t reserve = gpu->budget.reserve[PURPOSE_PICTURE];
    struct slabs_params alone = *params;
    alone.budget += gpu->budget.allocated - gpu->budget.held[PURPOSE_PICTURE];
    const bool fine = making_plan(viewer, &alone, out, NULL);
    gpu->budget.reserve[PURPOSE_PICTURE] = reserve;
    return fine;
}

// Whether that is enough for slabs.
static bool making_is_worth_it(struct viewer *viewer)
{
    struct slabs_params params = making_params(viewer, viewer->document);
    struct slabs_plan found;
    params.several = true;
    return making_plan_alone(viewer, &params, &found) && found.count > 1;
}

static bool making_recut_now(struct viewer *viewer)
{
    struct gpu *gpu = &viewer->gpu;
    struct document *document = viewer->document;
    calibrating_drop(viewer);
    if (!viewer->params->memory_budget || gpu->lost || !document->extraction ||
        viewer_refuses(viewer, viewer->settings.view.method) || !making_is_worth_it(viewer) ||
        !document_strip(gpu, document)) {
        return false;
    }
    document->in.several = true;
    if (making_cut(viewer, document, NULL)) {
        return true;
    }
    document_give_up_shown(gpu, document); // there is no room beside it
    if (making_cut(viewer, document, NULL)) {
        return true;
    }
    document->has_result = document->in.blind = false; // the host has no memory at all
    return false;
}

bool making_recut(struct viewer *viewer)
{
    // What the device has of a file that is another one now cannot be had again.
    const struct volume_file *file = &viewer->document->in.file;
    return (!file->path || volume_file_unchanged(file, NULL)) && making_recut_now(viewer);
}

// For another volume: what the one before has on the device goes, and only its picture stays until
// that one is there.
static bool making_make_way(struct viewer *viewer)
{
    if (!viewer->document || !(viewer->document->in.slabs || making_recut_now(viewer))) {
        return false;
    }
    document_give_up_shown(&viewer->gpu, viewer->document);
    slabs_release(viewer->document->in.slabs);
    return true;
}

// What is shown makes way for what is to come where that has no room beside it, or only in slabs.
static bool making_plan_larger(
    struct viewer *viewer, const struct slabs_params *params, struct slabs_plan *out,
    struct problem *problem)
{
    struct slabs_plan alone;
    viewer->gpu.budget.reserve[PURPOSE_PICTURE] =
        0; // without a budget nothing is held back from what fits
    bool fine = params->budget ? making_plan(viewer, params, out, problem)
                               : slabs_plan(&viewer->gpu, params, out, problem);
    if (params->budget && (!fine || out->count > 1) && making_plan_alone(viewer, params, &alone) &&
        (!fine || alone.count < out->count) && making_make_way(viewer)) {
        fine = making_plan(viewer, params, out, problem);
    }
    return fine;
}

// Whether a coarse picture would leave the volume room, once nothing else is on the device: it is
// made coarse for no less.
static bool making_coarsen_for(struct viewer *viewer, const struct slabs_params *params)
{
    struct slabs_params more = *params;
    struct slabs_plan found;
    more.budget += room_coarse_gain(viewer);
    return (!params->budget || making_plan_alone(viewer, &more, &found)) && room_coarsen(viewer);
}

bool making_is_larger(
    struct viewer *viewer, struct document *document, bool *larger, struct problem *problem)
{
    const bool coarsened = viewer->screen.coarsened;
    room_refine(viewer);
    if (!room_fit_picture(viewer, problem)) { // what it takes is not there for slabs
        return false;
    }
    struct slabs_params params = making_params(viewer, document);
    params.method = viewer->settings.view.method;
    struct slabs_plan found;
    *larger = false;
    while (!making_plan_larger(viewer, &params, &found, problem)) {
        if (problem->kind != PROBLEM_DEVICE_MEMORY || !making_coarsen_for(viewer, &params)) {
            if (coarsened) {
                viewer->screen.coarsened = true; // beside the volume that stays
            } else {
                room_refine(viewer);
            }
            return false;
        }
    }
    document->reserve = viewer->gpu.budget.reserve[PURPOSE_PICTURE];
    *larger = found.count > 1;
    viewer->gpu.budget.limit = params.budget; // which all is held to from now on
    return true;
}

// A surface that is being made.
struct making_walk {
    struct viewer *viewer;
    viewer_turn *turn;
    struct document_surfaces parts;
    struct extraction_result total;
    bool exports; // the mesh that is shown, come what may
    bool failed;  // drawing did: the problem says why
    struct problem problem;
};

static bool making_give_up_shown(void *user)
{
    struct viewer *viewer = ((struct making_walk *)user)->viewer;
    return document_give_up_shown(&viewer->gpu, viewer->document);
}

// Copies into buffers of just the right size.
static bool making_copy_surface(
    struct gpu *gpu, const struct surface *from, const struct extraction_result *result,
    struct surface *out, struct problem *problem)
{
    const struct {
        const struct buffer *from;
        struct buffer *to;
        uint64_t size;
    } rows[] = {
        { &from->vertices, &out->vertices, result->vertices * VERTEX_BYTES },
        { &from->indices, &out->indices, result->triangles * 12 },
        { &from->draw, &out->draw, 2 * sizeof(VkDrawIndexedIndirectCommand) },
    };
    *out = (struct surface){ 0 };
    for (int i = 0; i < 3; i++) {
        const struct buffer_params params = { .name = rows[i].from->name,
                                              .size = rows[i].size,
                                              .purpose = PURPOSE_SURFACE };
        if (!buffer_create(gpu, &params, rows[i].to, problem)) {
            goto fail;
        }
    }
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        goto fail;
    }
    struct run run;
    run_begin(&run, gpu, cmd, NULL);
    for (int i = 0; i < 3; i++) {
        run_copy(&run, rows[i].from, 0, rows[i].to, 0, rows[i].size);
        run_use(&run, rows[i].to, ACCESS_DRAW);
    }
    if (!gpu_submit_and_wait(gpu, cmd, problem)) {
        goto fail;
    }
    return true;
fail:
    surface_destroy(gpu, out);
    return false;
}

static bool making_keep_surface(
    void *user, const struct atlas *atlas, struct surface *surface,
    const struct extraction_result *result, struct problem *problem)
{
    struct making_walk *walk = user;
    struct viewer *viewer = walk->viewer;
    struct document_surfaces *parts = &walk->parts;
    struct surface *list = realloc(parts->list, (parts->count + UINT64_C(1)) * sizeof *list);
    if (!list) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory keeping a surface");
    }
    parts->list = list;
    while (result->triangles > 0 &&
           !making_copy_surface(&viewer->gpu, surface, result, &list[parts->count], problem)) {
        if (problem->kind != PROBLEM_DEVICE_MEMORY || !slabs_give_up(viewer->document->in.slabs)) {
            return false;
        }
    }
    parts->count += result->triangles > 0;
    walk->total.vertices += result->vertices;
    walk->total.bricks += atlas->brick_count;
    slabs_add_stages(&walk->total, result);
    return true;
}

// False ends the walk.
static bool making_live_on(void *user, const struct slabs_progress *progress)
{
    struct making_walk *walk = user;
    struct viewer *viewer = walk->viewer;
    struct schedule *schedule = &viewer->schedule;
    viewer->making.share = (double)progress->layers_done / progress->layers;
    struct situation at = viewer_situation(viewer);
    struct due due;
    schedule_due(schedule, &at, &due);
    walk->failed = !walk->turn(viewer, due.frame, &walk->problem);
    at = viewer_situation(viewer);
    schedule_look(schedule, at.view, at.now);
    schedule_due(schedule, &at, &due);
    const bool useless = walk->exports ? at.loaded : due.gives_up;
    return !walk->failed && !interrupted && !useless;
}

// The new surface takes the place of the one before.
static void making_show(
    struct making_walk *walk, const struct slabs_step *step, const struct slabs_result *found)
{
    struct viewer *viewer = walk->viewer;
    struct document *document = viewer->document;
    const uint32_t *dim = document->volume.dim;
    const uint64_t bricks = (uint64_t)((dim[0] + BRICK_X - 1) / BRICK_X) *
                            ((dim[1] + BRICK_Y - 1) / BRICK_Y) * ((dim[2] + BRICK_Z - 1) / BRICK_Z);
    struct extraction_result *total = &walk->total;
    document_surfaces_destroy(&viewer->gpu, &document->in.shown);
    document->in.shown = walk->parts;
    walk->parts = (struct document_surfaces){ 0 };
    document->in.blind = false;
    document->in.result = *found;
    total->iso = step->iso;
    total->method = step->method;
    total->whole = true;
    total->bricks = total->bricks > bricks ? total->bricks : bricks;
    total->active_bricks = found->active_bricks;
    total->active_cells = found->active_cells;
    total->triangles = found->triangles;
    if (!total->bricks_choice.method) {
        total->bricks_choice.method = total->cells_choice.method = step->method;
    }
    document->result = *total;
    document->has_result = true;
    viewer_remember_surface(viewer, found->loaded == 0);
}

// What was held back for larger windows goes to the surface, where anything was.
static bool making_cede_reserve(struct viewer *viewer)
{
    const uint64_t before = viewer->gpu.budget.reserve[PURPOSE_PICTURE];
    room_reserve(viewer, false);
    viewer->document->reserve = viewer->gpu.budget.reserve[PURPOSE_PICTURE];
    return viewer->gpu.budget.reserve[PURPOSE_PICTURE] < before;
}

// False when the problem must end the viewer; else it has been told, and what was shown stays.
static bool
making_survive(struct making_walk *walk, const struct problem *why, struct problem *problem)
{
    struct viewer *viewer = walk->viewer;
    struct document *document = viewer->document;
    if (walk->failed) {
        *problem = walk->problem;
        return false;
    }
    struct problem told = *why;
    if (why->kind == PROBLEM_DEVICE_MEMORY) {
        if (making_cede_reserve(viewer) || (room_coarsen(viewer) && making_cede_reserve(viewer))) {
            viewer->schedule.has_tried = false;
            return true;
        }
        problem_set(
            &told, PROBLEM_DEVICE_MEMORY,
            "This surface does not fit the device's memory, not even made slab by slab (%s): "
            "raise --memory-budget, choose another isovalue or a smaller window.",
            why->text);
    }
    if (viewer->gpu.lost || interrupted ||
        (viewer->params->exit_after && !document->has_result && !viewer->schedule.quit)) {
        *problem = told;
        return false;
    }
    if (why->kind == PROBLEM_INTERRUPTED) {
        viewer->schedule.has_tried = false; // once what is wanted instead has been done
    } else {
        viewer_complain(viewer, &told);
        viewer->message.about = why->kind == PROBLEM_DEVICE_MEMORY ? ABOUT_SURFACE : ABOUT_OTHERS;
        viewer->schedule.refused = why->kind == PROBLEM_DEVICE_MEMORY;
        room_refine(viewer); // a coarse picture has not helped
        document->has_result &=
            document->in.blind || document->in.shown.count > 0 || document->result.triangles == 0;
    }
    return true;
}

bool making_surface(struct viewer *viewer, viewer_turn *turn, struct problem *problem)
{
    struct document *document = viewer->document;
    if (!document || !document->in.slabs || !viewer_wants_surface(viewer)) {
        return true;
    }
    viewer_try_surface(viewer);
    calibrating_know_times(viewer);
    schedule_put_off(&viewer->schedule, window_time());
    struct making_walk walk = { .viewer = viewer, .turn = turn };
    const struct slabs_step step = {
        .iso = viewer->settings.view.iso,
        .method = viewer->settings.view.method,
        .every_brick = viewer->settings.view.every_brick,
        .sink = { .surface = making_keep_surface,
                  .give_up = making_give_up_shown,
                  .progress = making_live_on,
                  .user = &walk },
    };
    struct slabs_result found;
    struct problem why = { 0 };
    const bool fine = slabs_run(document->in.slabs, &step, &found, &why);
    if (fine) {
        making_show(&walk, &step, &found);
    }
    document_surfaces_destroy(&viewer->gpu, &walk.parts);
    viewer->making.share = -1;
    viewer_redraw(viewer);
    if (fine) {
        room_refine_for_less(viewer);
    }
    return fine || making_survive(&walk, &why, problem);
}

bool making_mesh(
    struct viewer *viewer, viewer_turn *turn, struct mesh *out, struct problem *problem)
{
    const struct document *document = viewer->document;
    struct making_walk walk = {
        .viewer = viewer,
        .turn = turn,
        .exports = true,
    };
    const struct slabs_step step = {
        .iso = document->result.iso,
        .method = document->result.method,
        .sink = { .progress = making_live_on, .user = &walk },
    };
    schedule_put_off(&viewer->schedule, window_time());
    struct slabs_result found;
    const bool fine = slabs_mesh(document->in.slabs, &step, &found, out, problem);
    viewer->making.share = -1;
    viewer->schedule.has_tried &=
        document->has_result; // another size of the window may have lost the picture
    if (walk.failed) {
        *problem = walk.problem; // the walk knows only that it was ended
    }
    return fine;
}
