// A volume that the device has no room for at once, or not for its surface beside it. That is made
// slab by slab, between two frames, and each slab's share is kept on the device, cut to size;
// meanwhile the window lives on with the surface before, until the new one is whole. Everything is
// held to the budget: what stays of the slabs gives way to the surface, and so does at last the
// surface before, of which then only the picture stays.
#include "app/viewer/viewer_state.h"

#include "app/cli/piecewise.h"
#include "compute/extraction/slabs_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FRAME_SECONDS = 0.1;
static const double REST_SECONDS = 0.3; // that another isovalue stands before this one is given up

static void parts_destroy(struct gpu *gpu, struct parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        surface_destroy(gpu, &parts->list[i]);
    }
    free(parts->list);
    *parts = (struct parts){ 0 };
}

void viewer_uncut(struct gpu *gpu, struct opened *opened)
{
    slabs_destroy(opened->in.slabs);
    parts_destroy(gpu, &opened->in.shown);
    volume_file_close(&opened->in.file);
    free(opened->in.ranges);
    opened->in = (struct opened_slabs){ 0 };
}

static struct slabs_params params_of(const struct viewer *viewer, const struct opened *opened)
{
    return (struct slabs_params){
        .volume = &opened->volume,
        .source = opened->in.file.path ? &opened->in.source : NULL,
        .ranges = opened->in.ranges,
        .times = viewer->has_times ? &viewer->times : NULL,
        .budget = viewer->params->memory_budget,
        .several = opened->in.several,
    };
}

// With room for larger windows, if that leaves enough.
static bool plan(
    struct viewer *viewer, const struct slabs_params *params, struct slabs_plan *out,
    struct problem *problem)
{
    viewer_reserve(viewer, true);
    if (slabs_plan(&viewer->gpu, params, out, NULL)) {
        return true;
    }
    viewer_reserve(viewer, false);
    return slabs_plan(&viewer->gpu, params, out, problem);
}

bool viewer_cut(struct viewer *viewer, struct opened *opened, struct problem *problem)
{
    struct slabs_params params = params_of(viewer, opened);
    struct slabs_plan found;
    if (!plan(viewer, &params, &found, problem)) {
        return false;
    }
    const uint32_t most = piecewise_layers(&viewer->gpu, &opened->volume);
    params.layers = most && most < found.layers ? most : found.layers;
    if (!slabs_create(&viewer->gpu, &params, &opened->in.slabs, problem)) {
        return false;
    }
    opened->reserve = viewer->gpu.budget.reserve[PURPOSE_PICTURE];
    free(opened->in.ranges);
    opened->in.ranges = NULL;
    if (viewer->params->verbose) {
        const struct slabs_plan *planned = slabs_planned(opened->in.slabs);
        fprintf(
            stderr, "cubist: %u slabs of up to %u layers of cells, in %.1f MiB of device memory\n",
            planned->count, planned->layers, (double)planned->budget / 0x1p20);
    }
    return true;
}

// How the volume would be cut once all that is on the device but the picture is given back. The
// reserve stays as it is.
static bool
plan_alone(struct viewer *viewer, const struct slabs_params *params, struct slabs_plan *out)
{
    struct gpu *gpu = &viewer->gpu;
    const uint64_t reserve = gpu->budget.reserve[PURPOSE_PICTURE];
    struct slabs_params alone = *params;
    alone.budget += gpu->budget.allocated - gpu->budget.held[PURPOSE_PICTURE];
    const bool fine = plan(viewer, &alone, out, NULL);
    gpu->budget.reserve[PURPOSE_PICTURE] = reserve;
    return fine;
}

// Whether that is enough for slabs.
static bool worth_it(struct viewer *viewer, const struct opened *opened)
{
    struct slabs_params params = params_of(viewer, opened);
    struct slabs_plan found;
    params.several = true;
    return plan_alone(viewer, &params, &found) && found.count > 1;
}

// What is shown goes from the device; its picture stays.
static bool give_up_parts(struct viewer *viewer)
{
    struct opened_slabs *in = &viewer->opened->in;
    if (in->shown.count == 0) {
        return false;
    }
    parts_destroy(&viewer->gpu, &in->shown);
    in->blind = true;
    return true;
}

static bool recut(struct viewer *viewer)
{
    struct gpu *gpu = &viewer->gpu;
    struct opened *opened = viewer->opened;
    struct parts *shown = &opened->in.shown;
    viewer_drop_calibration(viewer);
    if (!viewer->params->memory_budget || gpu->lost || !opened->extraction ||
        viewer_refuses(viewer, viewer->chosen.method) || !worth_it(viewer, opened) ||
        !(shown->list = calloc(1, sizeof *shown->list))) {
        return false;
    }
    if (opened->has_result && opened->result.triangles > 0) {
        shown->list[shown->count++] = opened->surfaces[opened->shown];
        opened->surfaces[opened->shown] = (struct surface){ 0 };
    }
    surface_destroy(gpu, &opened->surfaces[0]);
    surface_destroy(gpu, &opened->surfaces[1]);
    extraction_destroy(opened->extraction);
    opened->extraction = NULL;
    atlas_destroy(gpu, &opened->atlas);
    opened->in.several = true;
    if (viewer_cut(viewer, opened, NULL)) {
        return true;
    }
    give_up_parts(viewer); // there is no room beside them
    if (viewer_cut(viewer, opened, NULL)) {
        return true;
    }
    opened->has_result = opened->in.blind = false; // the host has no memory at all
    return false;
}

bool viewer_recut(struct viewer *viewer)
{
    // What the device has of a file that is another one now cannot be had again.
    const struct volume_file *file = &viewer->opened->in.file;
    return (!file->path || volume_file_unchanged(file, NULL)) && recut(viewer);
}

// For another volume: what the one before has on the device goes, and only its picture stays until
// that one is there.
static bool make_way(struct viewer *viewer)
{
    if (!viewer->opened || !(viewer->opened->in.slabs || recut(viewer))) {
        return false;
    }
    give_up_parts(viewer);
    slabs_release(viewer->opened->in.slabs);
    return true;
}

// What is shown makes way for what is to come where that has no room beside it, or only in slabs.
static bool plan_larger(
    struct viewer *viewer, const struct slabs_params *params, struct slabs_plan *out,
    struct problem *problem)
{
    struct slabs_plan alone;
    viewer->gpu.budget.reserve[PURPOSE_PICTURE] =
        0; // without a budget nothing is held back from what fits
    bool fine = params->budget ? plan(viewer, params, out, problem)
                               : slabs_plan(&viewer->gpu, params, out, problem);
    if (params->budget && (!fine || out->count > 1) && plan_alone(viewer, params, &alone) &&
        (!fine || alone.count < out->count) && make_way(viewer)) {
        fine = plan(viewer, params, out, problem);
    }
    return fine;
}

// Whether a coarse picture would leave the volume room, once nothing else is on the device: it is
// made coarse for no less.
static bool coarsen_for(struct viewer *viewer, const struct slabs_params *params)
{
    struct slabs_params more = *params;
    struct slabs_plan found;
    more.budget += viewer_coarse_gain(viewer);
    return (!params->budget || plan_alone(viewer, &more, &found)) && viewer_coarsen(viewer);
}

bool viewer_is_larger(
    struct viewer *viewer, struct opened *opened, bool *larger, struct problem *problem)
{
    const bool coarsened = viewer->coarsened;
    viewer_refine(viewer);
    if (!viewer_fit_picture(viewer, problem)) { // what it takes is not there for slabs
        return false;
    }
    struct slabs_params params = params_of(viewer, opened);
    params.method = viewer->chosen.method;
    struct slabs_plan found;
    *larger = false;
    while (!plan_larger(viewer, &params, &found, problem)) {
        if (problem->kind != PROBLEM_DEVICE_MEMORY || !coarsen_for(viewer, &params)) {
            if (coarsened) {
                viewer->coarsened = true; // beside the volume that stays
            } else {
                viewer_refine(viewer);
            }
            return false;
        }
    }
    opened->reserve = viewer->gpu.budget.reserve[PURPOSE_PICTURE];
    *larger = found.count > 1;
    viewer->gpu.budget.limit = params.budget; // which all is held to from now on
    return true;
}

// A surface that is being made.
struct walk {
    struct viewer *viewer;
    struct parts parts;
    struct extraction_result total;
    double next;    // when the window is to be drawn again
    double changed; // since when the person has wanted something else; 0: not
    double wanted;  // isovalue then
    bool exports;   // the mesh that is shown, come what may
    bool failed;    // drawing did: the problem says why
    struct problem problem;
};

static bool give_up_shown(void *user)
{
    return give_up_parts(((struct walk *)user)->viewer);
}

// Copies into buffers of just the right size.
static bool copy_surface(
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

static bool keep_surface(
    void *user, const struct atlas *atlas, struct surface *surface,
    const struct extraction_result *result, struct problem *problem)
{
    struct walk *walk = user;
    struct viewer *viewer = walk->viewer;
    struct parts *parts = &walk->parts;
    struct surface *list = realloc(parts->list, (parts->count + UINT64_C(1)) * sizeof *list);
    if (!list) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory keeping a surface");
    }
    parts->list = list;
    while (result->triangles > 0 &&
           !copy_surface(&viewer->gpu, surface, result, &list[parts->count], problem)) {
        if (problem->kind != PROBLEM_DEVICE_MEMORY || !slabs_give_up(viewer->opened->in.slabs)) {
            return false;
        }
    }
    parts->count += result->triangles > 0;
    walk->total.vertices += result->vertices;
    walk->total.bricks += atlas->brick_count;
    slabs_add_stages(&walk->total, result);
    return true;
}

// Whether the person has come to rest at something else than what is being made.
static bool is_of_no_interest(struct walk *walk)
{
    const struct viewer *viewer = walk->viewer;
    const double now = window_time();
    if (!frame_due(viewer)) {
        walk->changed = 0;
    } else if (walk->changed == 0 || walk->wanted != viewer->chosen.iso) {
        walk->changed = now;
        walk->wanted = viewer->chosen.iso;
    }
    return walk->changed > 0 && now - walk->changed > REST_SECONDS;
}

// Takes in what the person does and now and then draws a frame; false ends the walk.
static bool live_on(void *user, const struct slabs_progress *at)
{
    struct walk *walk = user;
    struct viewer *viewer = walk->viewer;
    viewer->walk_share = (double)at->layers_done / at->layers;
    window_poll(0);
    viewer_input(viewer);
    if (window_time() >= walk->next) {
        bool started;
        viewer->redraw = viewer->redraw > 1 ? viewer->redraw : 1;
        walk->failed =
            !frame_start(viewer, &started, &walk->problem) || !frame_finish(viewer, &walk->problem);
        walk->next = window_time() + FRAME_SECONDS;
    }
    const bool wanted = walk->exports || viewer->export_due || !viewer->quit;
    return !walk->failed && !interrupted && wanted &&
           (!viewer->loader || loader_busy(viewer->loader)) &&
           (walk->exports || !is_of_no_interest(walk));
}

// The new surface takes the place of the one before.
static void show(struct walk *walk, const struct slabs_step *step, const struct slabs_result *found)
{
    struct viewer *viewer = walk->viewer;
    struct opened *opened = viewer->opened;
    const uint32_t *dim = opened->volume.dim;
    const uint64_t bricks = (uint64_t)((dim[0] + BRICK_X - 1) / BRICK_X) *
                            ((dim[1] + BRICK_Y - 1) / BRICK_Y) * ((dim[2] + BRICK_Z - 1) / BRICK_Z);
    struct extraction_result *total = &walk->total;
    parts_destroy(&viewer->gpu, &opened->in.shown);
    opened->in.shown = walk->parts;
    walk->parts = (struct parts){ 0 };
    opened->in.blind = false;
    opened->in.result = *found;
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
    opened->result = *total;
    opened->has_result = true;
    if (viewer->message_about == ABOUT_SURFACE) {
        viewer_unsay(viewer);
    }
    viewer_remember(viewer, total);
    viewer_remember_method(viewer, found->loaded == 0);
}

// What was held back for larger windows goes to the surface, where anything was.
static bool cede_reserve(struct viewer *viewer)
{
    const uint64_t before = viewer->gpu.budget.reserve[PURPOSE_PICTURE];
    viewer_reserve(viewer, false);
    viewer->opened->reserve = viewer->gpu.budget.reserve[PURPOSE_PICTURE];
    return viewer->gpu.budget.reserve[PURPOSE_PICTURE] < before;
}

// False when the problem must end the viewer; else it has been told, and what was shown stays.
static bool survive(struct walk *walk, const struct problem *why, struct problem *problem)
{
    struct viewer *viewer = walk->viewer;
    struct opened *opened = viewer->opened;
    if (walk->failed) {
        *problem = walk->problem;
        return false;
    }
    struct problem told = *why;
    if (why->kind == PROBLEM_DEVICE_MEMORY) {
        if (cede_reserve(viewer) || (viewer_coarsen(viewer) && cede_reserve(viewer))) {
            viewer->tried = false;
            return true;
        }
        problem_set(
            &told, PROBLEM_DEVICE_MEMORY,
            "This surface does not fit the device's memory, not even made slab by slab (%s): "
            "raise --memory-budget, choose another isovalue or a smaller window.",
            why->text);
    }
    if (viewer->gpu.lost || interrupted ||
        (viewer->params->exit_after && !opened->has_result && !viewer->quit)) {
        *problem = told;
        return false;
    }
    if (why->kind == PROBLEM_INTERRUPTED) {
        viewer->tried = false; // once what is wanted instead has been done
    } else {
        viewer_complain(viewer, &told);
        viewer->message_about = why->kind == PROBLEM_DEVICE_MEMORY ? ABOUT_SURFACE : ABOUT_OTHERS;
        viewer->surface_refused = why->kind == PROBLEM_DEVICE_MEMORY;
        viewer_refine(viewer); // a coarse picture has not helped
        opened->has_result &=
            opened->in.blind || opened->in.shown.count > 0 || opened->result.triangles == 0;
    }
    return true;
}

bool viewer_walk(struct viewer *viewer, struct problem *problem)
{
    struct opened *opened = viewer->opened;
    if (!opened || !opened->in.slabs || !frame_due(viewer)) {
        return true;
    }
    viewer_try(viewer);
    viewer_know_times(viewer);
    struct walk walk = { .viewer = viewer, .next = window_time() + FRAME_SECONDS };
    const struct slabs_step step = {
        .iso = viewer->chosen.iso,
        .method = viewer->chosen.method,
        .every_brick = viewer->chosen.every_brick,
        .sink = { .surface = keep_surface,
                  .give_up = give_up_shown,
                  .progress = live_on,
                  .user = &walk },
    };
    struct slabs_result found;
    struct problem why = { 0 };
    const bool fine = slabs_run(opened->in.slabs, &step, &found, &why);
    if (fine) {
        show(&walk, &step, &found);
    }
    parts_destroy(&viewer->gpu, &walk.parts);
    viewer->walk_share = -1;
    viewer_redraw(viewer);
    if (fine) {
        viewer_refine_for_less(viewer);
    }
    return fine || survive(&walk, &why, problem);
}

bool viewer_join(struct viewer *viewer, struct mesh *out, struct problem *problem)
{
    const struct opened *opened = viewer->opened;
    struct walk walk = {
        .viewer = viewer,
        .next = window_time() + FRAME_SECONDS,
        .exports = true,
    };
    const struct slabs_step step = {
        .iso = opened->result.iso,
        .method = opened->result.method,
        .sink = { .progress = live_on, .user = &walk },
    };
    struct slabs_result found;
    const bool fine = slabs_mesh(opened->in.slabs, &step, &found, out, problem);
    viewer->walk_share = -1;
    viewer->tried &= opened->has_result; // another size of the window may have lost the picture
    if (walk.failed) {
        *problem = walk.problem; // the walk knows only that it was ended
    }
    return fine;
}

void viewer_model_slabs(const struct viewer *viewer, struct ui_model *model)
{
    const struct opened *opened = viewer->opened;
    model->walk_share = viewer->walk_share;
    if (opened && opened->in.slabs) {
        const struct slabs_result *found = &opened->in.result;
        model->in_slabs = true;
        model->slabs = found->slabs;
        model->slabs_held = found->held;
        model->slabs_loaded = found->loaded;
        model->slabs_missed = found->missed;
        model->bytes_read = found->bytes_read;
    }
}
