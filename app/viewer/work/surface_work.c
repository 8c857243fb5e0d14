#include "app/viewer/work/surface_work.h"

#include "app/base/report.h"
#include "app/viewer/methods/auto_times.h"
#include "app/viewer/work/casts.h"
#include "app/viewer/work/picture_memory.h"
#include "app/viewer/work/surfaces.h"

#include <stdlib.h>

static const double SLICE_MS = 10; // of work before the next look at events

// ---- dividing a volume into parts ----

static struct parts_params
surface_work_params(const struct viewer *viewer, const struct document *document)
{
    const struct auto_times *calibrating = &viewer->calibrating;
    return document_parts_params(document, calibrating->has_times ? &calibrating->times : NULL);
}

// Plans the parts. Leaves memory for larger windows if there is enough: sets params->reserve.
static bool surface_work_plan(
    struct viewer *viewer, struct parts_params *params, struct parts_plan *out,
    struct problem *problem)
{
    params->reserve = picture_memory_reserve(viewer, true);
    if (parts_plan(&viewer->gpu, params, out, NULL)) {
        return true;
    }
    params->reserve = picture_memory_reserve(viewer, false);
    return parts_plan(&viewer->gpu, params, out, problem);
}

// Plans the parts as if everything on the device but the picture were freed, and `more` of the
// picture.
static bool surface_work_plan_alone(
    struct viewer *viewer, const struct parts_params *params, uint64_t more, struct parts_plan *out)
{
    const struct budget *budget = &viewer->gpu.budget;
    struct parts_params alone = *params;
    alone.given_back = budget->allocated - budget->held[PURPOSE_PICTURE] + more;
    return surface_work_plan(viewer, &alone, out, NULL);
}

static void surface_work_note_parts(const struct viewer *viewer, const struct document *document)
{
    const struct parts_plan *plan = parts_planned(document->parts);
    if (viewer->params->verbose && plan->count > 1) {
        notes_parts(plan);
    }
}

// Divides the shown volume into parts, for a surface that does not fit the device as a whole. False
// if that is not possible, for example because the samples are only on the device. Call it while no
// surface is being made and no frame is in flight.
static bool surface_work_divide(struct viewer *viewer)
{
    struct document *document = viewer->document;
    struct parts_params params = surface_work_params(viewer, document);
    struct parts_plan found;
    params.several = true;
    auto_times_drop(&viewer->calibrating);
    if (!(document->volume.samples || document->file.path) || viewer->gpu.lost ||
        !document_whole(document) || viewer_refuses(viewer, viewer->settings.view.method) ||
        // If the file has changed, the samples on the device could not be read again.
        (document->file.path && !volume_file_unchanged(&document->file, NULL)) ||
        !surface_work_plan_alone(viewer, &params, 0, &found) || found.count == 1) {
        return false;
    }
    if (!document_strip(document)) {
        return false;
    }
    parts_close(document->parts);
    document->parts = NULL;
    bool fine = surface_work_plan(viewer, &params, &found, NULL) &&
                document_open_parts(document, &params, NULL);
    if (!fine) { // there is too little memory beside the shown surface
        budget_give_up(&viewer->gpu.budget, GIVE_UP_SHOWN_SURFACE);
        fine = surface_work_plan(viewer, &params, &found, NULL) &&
               document_open_parts(document, &params, NULL);
    }
    if (!fine) {
        document->has_result = document->surfaces->only_picture =
            false; // the host is out of memory
        return false;
    }
    picture_memory_keep_reserve(viewer);
    surface_work_note_parts(viewer, document);
    return true;
}

// Frees the device memory of the old volume for another one. Only the old picture stays until the
// new volume is there. False: the old samples cannot be read again, so nothing was freed.
static bool surface_work_make_way(struct viewer *viewer)
{
    struct budget *budget = &viewer->gpu.budget;
    if (!viewer->document ||
        !(viewer->document->surfaces->in_parts || surface_work_divide(viewer))) {
        return false;
    }
    while (budget_give_up(budget, GIVE_UP_SHOWN_SURFACE)) {
    }
    casts_drop(viewer);
    parts_release(viewer->document->parts);
    return true;
}

// Plans the parts of a new volume. Frees the old volume's memory if the new one does not fit beside
// it, or would need more parts.
static bool surface_work_plan_beside(
    struct viewer *viewer, struct parts_params *params, struct parts_plan *out,
    struct problem *problem)
{
    struct parts_plan alone;
    bool fine = surface_work_plan(viewer, params, out, problem);
    if (viewer->params->memory_budget && (!fine || out->count > 1) &&
        surface_work_plan_alone(viewer, params, 0, &alone) && (!fine || alone.count < out->count) &&
        surface_work_make_way(viewer)) {
        fine = surface_work_plan(viewer, params, out, problem);
    }
    return fine;
}

// Makes the picture coarse if that leaves memory for the volume, with nothing else on the device.
// False: it would not help.
static bool surface_work_coarsen_for(struct viewer *viewer, const struct parts_params *params)
{
    struct parts_plan found;
    return (!viewer->params->memory_budget ||
            surface_work_plan_alone(viewer, params, picture_memory_coarse_gain(viewer), &found)) &&
           picture_memory_coarsen(viewer);
}

bool surface_work_open_parts(
    struct viewer *viewer, struct document *document, struct extract **upload,
    struct problem *problem)
{
    const struct query query = { .method = viewer->settings.view.method,
                                 .every_brick = true,
                                 .load_only = true };
    const bool coarsened = viewer->screen.coarsened;
    if (viewer->document && viewer->document->surfaces->in_parts) {
        casts_end(viewer);
        parts_release(viewer->document->parts); // the shown surface no longer needs them
    }
    picture_memory_refine(viewer);
    if (!picture_memory_fit_picture(
            viewer, problem)) { // the picture needs its memory before the parts
        return false;
    }
    struct parts_params params = surface_work_params(viewer, document);
    params.method = viewer->settings.view.method;
    struct parts_plan found;
    while (!surface_work_plan_beside(viewer, &params, &found, problem)) {
        if (problem->kind != PROBLEM_DEVICE_MEMORY || !surface_work_coarsen_for(viewer, &params)) {
            if (coarsened) {
                viewer->screen.coarsened = true; // the old volume stays, and its picture was coarse
            } else {
                picture_memory_refine(viewer);
            }
            return false;
        }
    }
    if (found.count > 1) { // the same parts for every method, as the method may change later
        params.layers = found.layers;
        params.rows = found.rows;
        params.method = NULL;
    }
    if (!document_open_parts(document, &params, problem)) {
        return false;
    }
    picture_memory_keep_reserve(viewer);
    surface_work_note_parts(viewer, document);
    *upload = NULL;
    if (document->surfaces->in_parts) {
        return true;
    }
    *upload = extract_begin(document->parts, &query, problem);
    schedule_put_off(&viewer->schedule, window_time());
    return *upload;
}

// ---- making a surface ----

// Copies a surface into buffers of the exact size.
static bool surface_work_copy_surface(
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

// Keeps the surface of a part. If there is too little memory, something else is given up. At last
// the part is made again, smaller.
static bool
surface_work_keep(struct viewer *viewer, const struct part *part, struct problem *problem)
{
    struct surface_work *making = &viewer->making;
    struct surface_list *kept = &making->kept;
    const struct extraction_result *result = part->result;
    struct surface *list = realloc(kept->list, (kept->count + UINT64_C(1)) * sizeof *list);
    if (!list) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory keeping a surface");
    }
    kept->list = list;
    while (result->triangles > 0 &&
           !surface_work_copy_surface(
               &viewer->gpu, part->surface, result, &list[kept->count], problem)) {
        if (problem->kind != PROBLEM_DEVICE_MEMORY) {
            return false;
        }
        if (!budget_give_up(&viewer->gpu.budget, GIVE_UP_SHOWN_SURFACE)) {
            return extract_again(making->extract, problem);
        }
    }
    kept->count += result->triangles > 0;
    making->result.bricks += part->bricks;
    extract_add_stages(&making->result, result);
    return true;
}

// Shows the new surface instead of the old one.
static void surface_work_show(struct viewer *viewer)
{
    struct surface_work *making = &viewer->making;
    struct document *document = viewer->document;
    const uint32_t *dim = document->volume.dim;
    const uint64_t bricks = (uint64_t)((dim[0] + BRICK_X - 1) / BRICK_X) *
                            ((dim[1] + BRICK_Y - 1) / BRICK_Y) * ((dim[2] + BRICK_Z - 1) / BRICK_Z);
    const struct extract_totals *totals = extract_totals(making->extract);
    struct extraction_result *result = &making->result;
    result->iso = making->query.iso;
    result->method = making->query.method;
    result->whole = true;
    result->bricks = result->bricks > bricks ? result->bricks : bricks;
    result->active_bricks = totals->active_bricks;
    result->active_cells = totals->active_cells;
    result->vertices = totals->vertices;
    result->triangles = totals->triangles;
    if (!result->bricks_choice.method) {
        result->bricks_choice.method = result->cells_choice.method = result->method;
    }
    document_show(document, &making->kept, result, totals);
    viewer_remember_surface(viewer, false, totals->loaded == 0);
}

static void surface_work_clear(struct viewer *viewer)
{
    struct surface_work *making = &viewer->making;
    extract_end(making->extract);
    surface_list_destroy(&viewer->gpu, &making->kept);
    mesh_destroy(&making->join.mesh);
    *making = (struct surface_work){ 0 };
    viewer_redraw(viewer);
}

void surface_work_end(struct viewer *viewer)
{
    if (viewer->making.extract) {
        if (viewer->making.query.mesh) {
            viewer_say(viewer, "The mesh was not written, because another volume was opened.");
        }
        surface_work_clear(viewer);
        schedule_again(&viewer->schedule); // after what is wanted instead
    }
}

// Gives the memory that is reserved for larger windows to the surface. False: there was none.
static bool surface_work_cede_reserve(struct viewer *viewer)
{
    uint64_t *reserve = &viewer->document->reserve;
    const uint64_t before = *reserve, least = picture_memory_reserve(viewer, false);
    *reserve = least < before ? least : before;
    picture_memory_keep_reserve(viewer);
    return least < before;
}

// There is no memory for the view's mesh, while rays are drawn, which need none.
static void surface_work_do_without(struct viewer *viewer, const struct problem *why)
{
    schedule_refuse(&viewer->schedule);
    viewer_say(
        viewer, "The mesh of this isovalue does not fit the device (%s). Rays need none.",
        why->text);
}

// Handles a failure. False: the problem must end the viewer. Otherwise a message shows the problem
// and the old surface stays.
static bool
surface_work_survive(struct viewer *viewer, const struct problem *why, struct problem *problem)
{
    struct document *document = viewer->document;
    const bool whole = document_whole(document);
    struct problem shown;
    if (viewer_casts(viewer) && problem_of_size(why->kind) && !viewer->gpu.lost) {
        surface_work_do_without(viewer, why);
        return true;
    }
    if (whole && problem_of_size(why->kind) && !viewer->opening.document &&
        surface_work_divide(viewer)) {
        schedule_again(&viewer->schedule); // the parts are made next
        viewer_say(
            viewer, "This surface is too large to be made at once: it is made part by part now.");
        return true;
    }
    if (why->kind == PROBLEM_DEVICE_MEMORY && whole) {
        if (picture_memory_coarsen(viewer)) {
            schedule_again(&viewer->schedule);
            return true;
        }
    } else if (why->kind == PROBLEM_DEVICE_MEMORY) {
        // The last thing to give up is the picture's multisampling, which also makes the reserve
        // smaller.
        parts_release(document->parts);
        bool more = surface_work_cede_reserve(viewer);
        if (!more && budget_give_up(&viewer->gpu.budget, GIVE_UP_PICTURE_SAMPLES)) {
            surface_work_cede_reserve(viewer);
            more = true;
        }
        if (more) {
            schedule_again(&viewer->schedule);
            return true;
        }
    }
    picture_memory_explain(viewer, why, &shown);
    if (viewer->gpu.lost || (interrupted && !whole) ||
        (viewer->params->exit_after && !document->has_result &&
         (whole || !viewer->schedule.quit))) {
        *problem = shown;
        return false;
    }
    if (whole || why->kind == PROBLEM_DEVICE_MEMORY) {
        picture_memory_refuse(viewer, &shown);
    } else {
        viewer_complain(viewer, &shown);
        picture_memory_refine(viewer);
    }
    document->has_result &= whole || document->surfaces->only_picture ||
                            document->surfaces->list.count > 0 || document->result.triangles == 0;
    return true;
}

// Gives the times that `auto` uses to the document, if the view's method is `auto`.
static void surface_work_use_times(struct viewer *viewer)
{
    if (viewer->settings.view.method->selects) {
        document_use_times(viewer->document, auto_times_load(&viewer->calibrating));
    }
}

// ---- in a frame ----

bool surface_work_prepare(struct viewer *viewer, struct problem *problem)
{
    struct document *document = viewer->document;
    const struct view *view = &viewer->settings.view;
    struct frame *frame = &viewer->frame;
    struct problem why = { 0 };
    frame->extracting = false;
    frame->made = schedule_surface_of(view);
    if (document && document->has_result) {
        frame->made.iso = document->result.iso;
        frame->made.method = document->result.method;
    }
    struct extraction *extraction = document ? document_whole(document) : NULL;
    if (!extraction || !viewer_due(viewer).step) {
        return true;
    }
    viewer_begin_surface(viewer);
    surface_work_use_times(viewer);
    struct extraction_step move = {
        .iso = view->iso,
        .method = view->method,
        .target = &document->surfaces->pair[document->surfaces->shown],
        .every_brick = view->every_brick,
    };
    move.anew = frame->anew = document_is_to_be_timed(document, &move);
    frame->moving = document->has_result && extraction_moves(extraction, &move);
    frame->target = frame->moving ? document->surfaces->shown : !document->surfaces->shown;
    const uint64_t buffers = viewer->gpu.buffers_made;
    if (extraction_prepare(
            extraction, &document->surfaces->pair[frame->target], view->method, &why)) {
        frame->extracting = true;
        frame->fresh = viewer->gpu.buffers_made != buffers;
        frame->made = schedule_surface_of(view);
        return true;
    }
    return surface_work_survive(viewer, &why, problem);
}

void surface_work_record(struct viewer *viewer, struct run *run)
{
    struct document *document = viewer->document;
    const struct frame *frame = &viewer->frame;
    const struct extraction_step step = {
        .iso = frame->made.iso,
        .method = frame->made.method,
        .target = &document->surfaces->pair[frame->target],
        .previous = document->has_result && !frame->moving
                        ? &document->surfaces->pair[document->surfaces->shown]
                        : NULL,
        .draws = true,
        .anew = frame->anew,
        .every_brick = frame->made.every_brick,
    };
    extraction_record(document_whole(document), run, &step);
    struct extraction_lists lists;
    if (viewer->settings.view.show != SHOW_SURFACE &&
        extraction_lists(document_whole(document), step.target, &lists)) {
        extraction_show_lists(run, &lists);
    }
}

void surface_work_collect(struct viewer *viewer, struct extraction_result *result)
{
    struct document *document = viewer->document;
    struct frame *frame = &viewer->frame;
    struct problem why;
    const bool fine = extraction_collect(document_whole(document), result, &why);
    schedule_redraw(&viewer->schedule, 2);           // the panel has changed,
    schedule_step(&viewer->schedule, window_time()); // and is drawn before a slow full picture
    if (result->whole) {
        document->surfaces->shown = frame->target;
        document->has_result = true;
        document->result = *result;
        viewer_remember_surface(viewer, frame->fresh, true);
    } else if (fine) {
        schedule_again(&viewer->schedule); // the next frame has larger buffers
    } else if (frame->rays && problem_of_size(why.kind)) {
        surface_work_do_without(viewer, &why);
    } else {
        picture_memory_refuse(viewer, &why);
    }
}

// ---- between frames ----

bool surface_work_begin(struct viewer *viewer, struct problem *problem)
{
    struct surface_work *making = &viewer->making;
    const struct view *view = &viewer->settings.view;
    struct problem why = { 0 };
    viewer_begin_surface(viewer);
    surface_work_use_times(viewer);
    // A whole volume that gave up its memory on the device is made part by part, too.
    if (!viewer->document->surfaces->in_parts && !document_strip(viewer->document)) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a surface");
    }
    making->query = (struct query){
        .iso = view->iso,
        .method = view->method,
        .every_brick = view->every_brick,
        .draws = true,
        .keeps = true,
        .counts = true,
    };
    making->extract = extract_begin(viewer->document->parts, &making->query, &why);
    schedule_put_off(&viewer->schedule, window_time());
    return making->extract || surface_work_survive(viewer, &why, problem);
}

void surface_work_begin_mesh(struct viewer *viewer)
{
    struct surface_work *making = &viewer->making;
    const struct document *document = viewer->document;
    struct extraction *whole = document_whole(document);
    const struct surfaces *made = document->surfaces;
    struct saver *saving = &viewer->saving;
    struct problem why = { 0 };
    bool fine;
    if (whole) {
        fine = saving->has_mesh = extraction_fetch(
            whole, &made->pair[made->shown], &document->result, &saving->mesh, &why);
    } else {
        making->query = (struct query){
            .iso = document->result.iso,
            .method = document->result.method,
            .mesh = true,
        };
        making->extract = extract_begin(document->parts, &making->query, &why);
        fine = making->extract;
        schedule_put_off(&viewer->schedule, window_time());
    }
    if (!fine) {
        viewer_complain(viewer, &why);
    }
}

void surface_work_say_awaited(struct viewer *viewer, const char *path)
{
    if (!document_whole(viewer->document)) {
        viewer_say(viewer, "The surface is being made: %s is written after that.", path);
    }
}

// Finishes the surface or the mesh after the last part.
static void surface_work_finish(struct viewer *viewer)
{
    struct surface_work *making = &viewer->making;
    if (!making->query.mesh) {
        surface_work_show(viewer);
        surface_work_clear(viewer);
        picture_memory_refine_for_less(viewer);
        return;
    }
    struct mesh mesh = making->join.mesh;
    making->join.mesh = (struct mesh){ 0 };
    surface_work_clear(viewer);
    viewer->saving.mesh = mesh;
    viewer->saving.has_mesh = true;
    if (!viewer->document->has_result) { // the window changed its size, and the picture is lost
        schedule_again(&viewer->schedule);
    }
}

bool surface_work_go_on(struct viewer *viewer, struct problem *problem)
{
    struct surface_work *making = &viewer->making;
    struct problem why = { 0 };
    struct part part;
    const enum next next = extract_next(making->extract, SLICE_MS, &part, &why);
    const bool mesh = making->query.mesh;
    if (next == NEXT_DONE) {
        surface_work_finish(viewer);
        return true;
    }
    if (next == NEXT_NOT_YET ||
        (next == NEXT_PART && (mesh ? mesh_join_add(&making->join, &part, &why)
                                    : surface_work_keep(viewer, &part, &why)))) {
        return true;
    }
    surface_work_clear(viewer);
    if (!mesh) {
        return surface_work_survive(viewer, &why, problem);
    }
    if (viewer->gpu.lost || interrupted) {
        *problem = why;
        return false;
    }
    viewer_complain(viewer, &why);
    return true;
}
