#include "app/viewer/work/surface_work.h"

#include "app/base/report.h"
#include "app/viewer/methods/auto_times.h"
#include "app/viewer/work/casts.h"
#include "app/viewer/work/picture_memory.h"
#include "app/viewer/work/surfaces.h"

#include <stdlib.h>

static const double SLICE_MS = 10; // time of work before events are handled

// The step of the frame in flight.
struct surface_step {
    bool runs;   // the frame makes a surface in surfaces.slots[target]
    bool moving; // only vertices move: the target is the shown surface, else the spare one
    bool anew;   // does not reuse results of the step before
    bool fresh;  // buffers were allocated for it
    uint32_t target;
    struct surface_settings made; // the settings of the surface in the frame
};

// A surface, or the mesh of the shown surface, that is made part by part between frames.
struct surface_parts {
    struct query query;
    struct surface_list kept;        // the surfaces of the parts so far
    struct extraction_result result; // the sums over the parts so far
    struct mesh_join join;           // the mesh of the parts so far
};

struct surface_work {
    struct surface_step step;
    struct surface_parts parts;
};

bool surface_work_create(struct works *works, struct problem *problem)
{
    works->surface = calloc(1, sizeof *works->surface);
    return works->surface ||
           problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the viewer");
}

bool surface_work_joins(const struct works *works)
{
    return works->extract && works->surface->parts.query.mesh;
}

bool surface_work_in_frame(const struct works *works)
{
    return works->surface->step.runs;
}

const struct surface_settings *surface_work_made(const struct works *works)
{
    return &works->surface->step.made;
}

// ---- dividing a volume into parts ----

static struct parts_params
surface_work_params(const struct works *works, const struct document *document)
{
    const struct auto_times *calibrating = works->auto_times;
    return document_parts_params(document, calibrating->has_times ? &calibrating->times : NULL);
}

// Plans the parts. Leaves memory for larger windows if there is enough: sets params->reserve.
static bool surface_work_plan(
    struct works *works, struct parts_params *params, struct parts_plan *out,
    struct problem *problem)
{
    params->reserve = picture_memory_reserve(works, true);
    if (parts_plan(works->gpu, params, out, NULL)) {
        return true;
    }
    params->reserve = picture_memory_reserve(works, false);
    return parts_plan(works->gpu, params, out, problem);
}

// Plans the parts as if everything on the device except the picture were freed, and also `more`
// bytes of the picture.
static bool surface_work_plan_alone(
    struct works *works, const struct parts_params *params, uint64_t more, struct parts_plan *out)
{
    const struct budget *budget = &works->gpu->budget;
    struct parts_params alone = *params;
    alone.given_back = budget->allocated - budget->held[PURPOSE_PICTURE] + more;
    return surface_work_plan(works, &alone, out, NULL);
}

static void surface_work_note_parts(const struct works *works, const struct document *document)
{
    const struct parts_plan *plan = parts_planned(document->parts);
    if (works->params->verbose && plan->count > 1) {
        notes_parts(plan);
    }
}

// From here on document->shown is that of the contour that is worked on.
static void surface_work_resume(const struct works *works)
{
    document_select(works->document, works->schedule->contour);
}

// From here on document->shown is that of the selected contour again. Returns `fine`.
static bool surface_work_rest(const struct works *works, bool fine)
{
    document_select(works->document, works->settings->view.contour);
    return fine;
}

// Gives up the surfaces of all contours that were made part by part.
static void surface_work_give_up_shown(struct works *works)
{
    struct shown_surface *now = works->document->shown;
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        document_select(works->document, i);
        while (budget_give_up(&works->gpu->budget, GIVE_UP_SHOWN_SURFACE)) {
        }
    }
    works->document->shown = now;
}

// Divides the shown volume into parts, for a surface that does not fit the device as a whole. False
// if that is not possible, for example because the samples are only on the device. Call it while no
// surface is being made and no frame is in flight.
static bool surface_work_divide(struct works *works)
{
    struct document *document = works->document;
    struct parts_params params = surface_work_params(works, document);
    struct parts_plan found;
    params.several = true;
    auto_times_drop(works->auto_times);
    if (!(document->volume.samples || document->file.path) || works->gpu->lost ||
        !document_whole(document) || works_refuses(works, works->settings->view.method) ||
        // If the file has changed, the samples on the device could not be read again.
        (document->file.path && !volume_file_unchanged(&document->file, NULL)) ||
        !surface_work_plan_alone(works, &params, 0, &found) || found.count == 1) {
        return false;
    }
    if (!document_strip(document)) {
        return false;
    }
    parts_close(document->parts);
    document->parts = NULL;
    bool fine = surface_work_plan(works, &params, &found, NULL) &&
                document_open_parts(document, &params, NULL);
    if (!fine) { // there is too little memory beside the shown surfaces
        surface_work_give_up_shown(works);
        fine = surface_work_plan(works, &params, &found, NULL) &&
               document_open_parts(document, &params, NULL);
    }
    if (!fine) {
        document->shown->has_result = document->shown->only_picture =
            false; // the host is out of memory
        return false;
    }
    picture_memory_keep_reserve(works);
    surface_work_note_parts(works, document);
    return true;
}

// Frees the device memory of the old volume for another one. Only the old picture stays until the
// new volume is there. False: the old samples cannot be read again, so nothing was freed.
static bool surface_work_make_way(struct works *works)
{
    if (!works->document || !(works->document->surfaces->in_parts || surface_work_divide(works))) {
        return false;
    }
    surface_work_give_up_shown(works);
    casts_drop(works);
    parts_release(works->document->parts);
    return true;
}

// Plans the parts of a new volume. Frees the old volume's memory if the new one does not fit beside
// it, or would need more parts.
static bool surface_work_plan_beside(
    struct works *works, struct parts_params *params, struct parts_plan *out,
    struct problem *problem)
{
    struct parts_plan alone;
    bool fine = surface_work_plan(works, params, out, problem);
    if (works->params->memory_budget && (!fine || out->count > 1) &&
        surface_work_plan_alone(works, params, 0, &alone) && (!fine || alone.count < out->count) &&
        surface_work_make_way(works)) {
        fine = surface_work_plan(works, params, out, problem);
    }
    return fine;
}

// Makes the picture coarse if the volume then fits the device beside the picture alone. False: it
// would not help.
static bool surface_work_coarsen_for(struct works *works, const struct parts_params *params)
{
    struct parts_plan found;
    return (!works->params->memory_budget ||
            surface_work_plan_alone(works, params, picture_memory_coarse_gain(works), &found)) &&
           picture_memory_coarsen(works);
}

bool surface_work_open_parts(
    struct works *works, struct document *document, struct extract **upload,
    struct problem *problem)
{
    const struct query query = { .method = works->settings->view.method,
                                 .every_brick = true,
                                 .load_only = true };
    const bool coarsened = works->display.coarsened;
    if (works->document && works->document->surfaces->in_parts) {
        casts_end(works);
        parts_release(works->document->parts); // the shown surface no longer needs them
    }
    picture_memory_refine(works);
    if (!picture_memory_fit_picture(
            works, problem)) { // the picture needs its memory before the parts
        return false;
    }
    struct parts_params params = surface_work_params(works, document);
    params.method = works->settings->view.method;
    struct parts_plan found;
    while (!surface_work_plan_beside(works, &params, &found, problem)) {
        if (problem->kind != PROBLEM_DEVICE_MEMORY || !surface_work_coarsen_for(works, &params)) {
            if (coarsened) {
                works->display.coarsened = true; // the old volume stays, and its picture was coarse
            } else {
                picture_memory_refine(works);
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
    picture_memory_keep_reserve(works);
    surface_work_note_parts(works, document);
    *upload = NULL;
    if (document->surfaces->in_parts) {
        return true;
    }
    *upload = extract_begin(document->parts, &query, problem);
    schedule_put_off(works->schedule, window_time());
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

// Keeps the surface of a part. If there is too little memory, something else is given up. If that
// does not help, the part is made again, in smaller parts if necessary.
static bool surface_work_keep(struct works *works, const struct part *part, struct problem *problem)
{
    struct surface_parts *making = &works->surface->parts;
    struct surface_list *kept = &making->kept;
    const struct extraction_result *result = part->result;
    struct surface *list = realloc(kept->list, (kept->count + UINT64_C(1)) * sizeof *list);
    if (!list) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory keeping a surface");
    }
    kept->list = list;
    while (result->triangles > 0 &&
           !surface_work_copy_surface(
               works->gpu, part->surface, result, &list[kept->count], problem)) {
        if (problem->kind != PROBLEM_DEVICE_MEMORY) {
            return false;
        }
        if (!budget_give_up(&works->gpu->budget, GIVE_UP_SHOWN_SURFACE)) {
            return extract_again(works->extract, problem);
        }
    }
    kept->count += result->triangles > 0;
    making->result.bricks += part->bricks;
    extract_add_stages(&making->result, result);
    return true;
}

// The surface that is due next is begun.
static void surface_work_note_begun(struct works *works)
{
    struct schedule *schedule = works->schedule;
    const bool every_brick = schedule->contours[schedule->contour].begun.every_brick;
    if (every_brick != works->settings->view.every_brick) {
        document_forget_times(works->document);
    }
    schedule_begin(schedule, &works->settings->view);
    surface_work_resume(works);
}

// A new surface is complete and shown. `fresh`: buffers were allocated for its step. `repeat`: it
// may be made again to measure its time.
static void surface_work_note_shown(struct works *works, bool fresh, bool repeat)
{
    const struct extraction_result *result = &works->document->shown->result;
    double sum = 0;
    for (uint32_t i = 0; i < result->stage_count; i++) {
        sum += result->stage_ms[i];
    }
    meters_note(&works->meters, sum);
    if (works->message->about == ABOUT_SURFACE) {
        message_unsay(works->message);
    }
    // If the window closes after this frame, no further step is made to measure the time.
    const uint64_t ends = works->params->exit_after, frames = works->meters.frames + 1;
    const bool last = ends > 0 && frames >= ends;
    if (document_remember_time(works->document, fresh) && repeat && !last) {
        schedule_again(works->schedule);
    }
}

// Shows the new surface instead of the old one.
static void surface_work_show(struct works *works)
{
    struct surface_parts *making = &works->surface->parts;
    struct document *document = works->document;
    const uint32_t *dim = document->volume.dim;
    const uint64_t bricks = (uint64_t)((dim[0] + BRICK_X - 1) / BRICK_X) *
                            ((dim[1] + BRICK_Y - 1) / BRICK_Y) * ((dim[2] + BRICK_Z - 1) / BRICK_Z);
    const struct extract_totals *totals = extract_totals(works->extract);
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
    surface_work_note_shown(works, false, totals->loaded == 0);
}

static void surface_work_clear(struct works *works)
{
    struct surface_parts *making = &works->surface->parts;
    extract_end(works->extract);
    works->extract = NULL;
    surface_list_destroy(works->gpu, &making->kept);
    mesh_destroy(&making->join.mesh);
    *making = (struct surface_parts){ 0 };
    works_redraw(works);
}

void surface_work_end(struct works *works)
{
    if (works->extract) {
        if (works->surface->parts.query.mesh) {
            message_say(
                works->message, "The mesh was not written, because another volume was opened.");
        }
        surface_work_clear(works);
        schedule_again(works->schedule); // the cancelled surface is due again later
    }
}

void surface_work_destroy(struct works *works)
{
    if (works->surface) {
        surface_work_end(works);
    }
    free(works->surface);
    works->surface = NULL;
}

// Gives the memory that is reserved for larger windows to the surface. False: there was none.
static bool surface_work_cede_reserve(struct works *works)
{
    uint64_t *reserve = &works->document->reserve;
    const uint64_t before = *reserve, least = picture_memory_reserve(works, false);
    *reserve = least < before ? least : before;
    picture_memory_keep_reserve(works);
    return least < before;
}

// Continues without the view's mesh, because memory is short. The rays that are drawn need none.
static void surface_work_do_without(struct works *works, const struct problem *why)
{
    schedule_refuse(works->schedule);
    message_say(
        works->message, "The mesh of this isovalue does not fit the device (%s). Rays need none.",
        why->text);
}

// Handles a failure. False: the problem must end the viewer. Otherwise a message shows the problem
// and the old surface stays.
static bool
surface_work_survive(struct works *works, const struct problem *why, struct problem *problem)
{
    struct document *document = works->document;
    const bool whole = document_whole(document);
    struct problem shown;
    if (casts_ready(works) && problem_of_size(why->kind) && !works->gpu->lost) {
        surface_work_do_without(works, why);
        return true;
    }
    if (why->kind == PROBLEM_DEVICE_MEMORY &&
        (document_lose_unseen(document) ||
         (whole && budget_give_up(&works->gpu->budget, GIVE_UP_CASTING)))) {
        schedule_again(works->schedule);
        return true;
    }
    if (whole && problem_of_size(why->kind) && !works->uploading && surface_work_divide(works)) {
        schedule_again(works->schedule); // the surface is made part by part next
        message_say(
            works->message,
            "This surface is too large to be made at once: it is made part by part now.");
        return true;
    }
    if (why->kind == PROBLEM_DEVICE_MEMORY && whole) {
        if (picture_memory_coarsen(works)) {
            schedule_again(works->schedule);
            return true;
        }
    } else if (why->kind == PROBLEM_DEVICE_MEMORY) {
        // The last thing to give up is the picture's multisampling, which also makes the reserve
        // smaller.
        parts_release(document->parts);
        bool more = surface_work_cede_reserve(works);
        if (!more && budget_give_up(&works->gpu->budget, GIVE_UP_PICTURE_SAMPLES)) {
            surface_work_cede_reserve(works);
            more = true;
        }
        if (more) {
            schedule_again(works->schedule);
            return true;
        }
    }
    picture_memory_explain(works, why, &shown);
    if (works->gpu->lost || (interrupted && !whole) ||
        (works->params->exit_after && !document->shown->has_result &&
         (whole || !works->schedule->quit))) {
        *problem = shown;
        return false;
    }
    if (whole || why->kind == PROBLEM_DEVICE_MEMORY) {
        picture_memory_refuse(works, &shown);
    } else {
        message_complain(works->message, &shown, ABOUT_OTHERS);
        picture_memory_refine(works);
    }
    struct shown_surface *old = document->shown;
    old->has_result &=
        whole || old->only_picture || old->list.count > 0 || old->result.triangles == 0;
    if (old->only_picture && works->settings->view.further > 0) { // the other surfaces are shown
        old->has_result = old->only_picture = false;
        works_redraw(works);
    }
    return true;
}

// Gives the times that `auto` uses to the document, if the view's method is `auto`.
static void surface_work_use_times(struct works *works)
{
    if (works->settings->view.method->selects) {
        document_use_times(works->document, auto_times_load(works->auto_times));
    }
}

// ---- in a frame ----

bool surface_work_prepare(struct works *works, bool due, struct problem *problem)
{
    struct document *document = works->document;
    const struct view *view = &works->settings->view;
    struct surface_step *step = &works->surface->step;
    struct problem why = { 0 };
    step->runs = false;
    step->made = schedule_surface_of(view, view->contour);
    if (document && document->shown->has_result) {
        step->made.iso = document->shown->result.iso;
        step->made.method = document->shown->result.method;
    }
    struct extraction *extraction = document ? document_whole(document) : NULL;
    if (!extraction || !due) {
        return true;
    }
    surface_work_note_begun(works);
    surface_work_use_times(works);
    const struct shown_surface *old = document->shown;
    struct surface *slots = document->surfaces->slots;
    const struct surface_settings made = schedule_surface_of(view, works->schedule->contour);
    struct extraction_step move = {
        .iso = made.iso,
        .method = view->method,
        .target = &slots[old->slot],
        .every_brick = view->every_brick,
    };
    move.anew = step->anew = document_is_to_be_timed(document, &move);
    step->moving = old->has_result && extraction_moves(extraction, &move);
    step->target = step->moving ? old->slot : document->surfaces->spare;
    const uint64_t buffers = works->gpu->buffers_made;
    if (extraction_prepare(extraction, &slots[step->target], view->method, &why)) {
        step->runs = true;
        step->fresh = works->gpu->buffers_made != buffers;
        step->made = made;
        return surface_work_rest(works, true);
    }
    return surface_work_rest(works, surface_work_survive(works, &why, problem));
}

void surface_work_record(struct works *works, struct run *run)
{
    const struct document *document = works->document;
    const struct surface_step *step = &works->surface->step;
    const struct shown_surface *old = &document->surfaces->shown[works->schedule->contour];
    struct surface *slots = document->surfaces->slots;
    const struct extraction_step now = {
        .iso = step->made.iso,
        .method = step->made.method,
        .target = &slots[step->target],
        .previous = old->has_result && !step->moving ? &slots[old->slot] : NULL,
        .draws = true,
        .anew = step->anew,
        .every_brick = step->made.every_brick,
    };
    extraction_record(document_whole(document), run, &now);
    struct extraction_lists lists;
    if (works->settings->view.show != SHOW_SURFACE &&
        extraction_lists(document_whole(document), now.target, &lists)) {
        extraction_show_lists(run, &lists);
    }
}

void surface_work_collect(struct works *works, bool rays, struct extraction_result *result)
{
    struct document *document = works->document;
    struct surface_step *step = &works->surface->step;
    struct problem why;
    surface_work_resume(works);
    const bool fine = extraction_collect(document_whole(document), result, &why);
    schedule_redraw(works->schedule, 2);           // the panel has changed
    schedule_step(works->schedule, window_time()); // a slow full picture waits until nothing moves
    if (result->whole) {
        if (!step->moving) {
            document->surfaces->spare = document->shown->slot;
            document->shown->slot = step->target;
        }
        document->shown->has_result = true;
        document->shown->result = *result;
        surface_work_note_shown(works, step->fresh, true);
    } else if (fine) {
        schedule_again(works->schedule); // the next frame has larger buffers
    } else if (rays && problem_of_size(why.kind)) {
        surface_work_do_without(works, &why);
    } else {
        picture_memory_refuse(works, &why);
    }
    surface_work_rest(works, true);
}

void surface_work_scene(
    const struct works *works, struct scene *scene, struct extraction_lists *lists)
{
    const struct document *document = works->document;
    const struct surface_step *step = &works->surface->step;
    struct scene_contour *contour = &scene->contours[works->schedule->contour];
    works_scene(works, scene);
    bool listed = document_lists(document, lists);
    if (step->runs) {
        const struct surface *target = &document->surfaces->slots[step->target];
        listed = extraction_lists(document_whole(document), target, lists);
        if (view_shows(scene->view, works->schedule->contour)) {
            contour->fallback = step->moving ? NULL : contour->surface;
            contour->surface = target;
            contour->iso = scene->view->isos[works->schedule->contour];
        }
    }
    scene->lists = listed ? lists : NULL;
}

// ---- between frames ----

bool surface_work_begin(struct works *works, struct problem *problem)
{
    struct surface_parts *making = &works->surface->parts;
    const struct view *view = &works->settings->view;
    struct problem why = { 0 };
    surface_work_note_begun(works);
    surface_work_use_times(works);
    // If a volume in one part lost its device memory, its surfaces are made part by part, too.
    if (!works->document->surfaces->in_parts && !document_strip(works->document)) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a surface");
    }
    making->query = (struct query){
        .iso = view->isos[works->schedule->contour],
        .method = view->method,
        .every_brick = view->every_brick,
        .draws = true,
        .keeps = true,
        .counts = true,
    };
    works->extract = extract_begin(works->document->parts, &making->query, &why);
    schedule_put_off(works->schedule, window_time());
    return surface_work_rest(works, works->extract || surface_work_survive(works, &why, problem));
}

void surface_work_begin_mesh(struct works *works)
{
    struct surface_parts *making = &works->surface->parts;
    const struct document *document = works->document;
    struct extraction *whole = document_whole(document);
    const struct surfaces *made = document->surfaces;
    struct problem why = { 0 };
    bool fine;
    if (whole) {
        fine = works->has_mesh = extraction_fetch(
            whole, &made->slots[document->shown->slot], &document->shown->result, &works->mesh,
            &why);
    } else {
        making->query = (struct query){
            .iso = document->shown->result.iso,
            .method = document->shown->result.method,
            .mesh = true,
        };
        works->extract = extract_begin(document->parts, &making->query, &why);
        fine = works->extract;
        schedule_put_off(works->schedule, window_time());
    }
    if (!fine) {
        message_complain(works->message, &why, ABOUT_OTHERS);
    }
}

void surface_work_say_awaited(struct works *works, const char *path)
{
    if (!document_whole(works->document)) {
        message_say(works->message, "The surface is being made: %s is written after that.", path);
    }
}

// Finishes the surface or the mesh after the last part.
static void surface_work_finish(struct works *works)
{
    struct surface_parts *making = &works->surface->parts;
    if (!making->query.mesh) {
        surface_work_show(works);
        surface_work_clear(works);
        picture_memory_refine_for_less(works);
        return;
    }
    struct mesh mesh = making->join.mesh;
    making->join.mesh = (struct mesh){ 0 };
    surface_work_clear(works);
    works->mesh = mesh;
    works->has_mesh = true;
    if (!works->document->shown
             ->has_result) { // the window changed its size, and the picture is lost
        schedule_again(works->schedule);
    }
}

static bool surface_work_next(struct works *works, struct problem *problem)
{
    struct surface_parts *making = &works->surface->parts;
    struct problem why = { 0 };
    struct part part;
    const enum next next = extract_next(works->extract, SLICE_MS, &part, &why);
    const bool mesh = making->query.mesh;
    if (next == NEXT_DONE) {
        surface_work_finish(works);
        return true;
    }
    if (next == NEXT_NOT_YET ||
        (next == NEXT_PART && (mesh ? mesh_join_add(&making->join, &part, &why)
                                    : surface_work_keep(works, &part, &why)))) {
        return true;
    }
    surface_work_clear(works);
    if (!mesh) {
        return surface_work_survive(works, &why, problem);
    }
    if (works->gpu->lost || interrupted) {
        *problem = why;
        return false;
    }
    message_complain(works->message, &why, ABOUT_OTHERS);
    return true;
}

bool surface_work_go_on(struct works *works, struct problem *problem)
{
    if (!works->surface->parts.query.mesh) { // a mesh is that of the selected contour
        surface_work_resume(works);
    }
    return surface_work_rest(works, surface_work_next(works, problem));
}
