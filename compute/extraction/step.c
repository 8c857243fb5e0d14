// The passes of a step, in order:
//
//   bricks      a compaction method: bricks whose range spans the isovalue
//   classify    compares their samples with the isovalue: row masks, including the halo
//   cells       the compaction method again: cells whose corners differ
//   vertices    crossing edges: a row prefix per row; the list of edges, and for each edge a
//               position and a normal
//   triangles   one to five per active cell
//   finish      only if the mesh is drawn: checks whether it is complete; sets the draw command
//
// The host gets a copy of the counters.
//
// After the first pass, only bricks that span the isovalue are visited.

#include "compute/extraction/internal.h"

#include "compute/atlas_keys.h"

#include <assert.h>
#include <string.h>

// Fills the table with what the kernels of a step access.
static void step_bind(
    const struct extraction *extraction, const struct extraction_step *step,
    struct binding table[BINDINGS])
{
    const struct surface *target = step->target;
    const struct buffer *control = &extraction->fixed[FIXED_CONTROL];
    memset(table, 0, BINDINGS * sizeof *table);
    atlas_bind(extraction->atlas, table);
    table[BINDING_CASES] = (struct binding){ &extraction->fixed[FIXED_CASES] };
    table[BINDING_BRICKS] = (struct binding){ &extraction->fixed[FIXED_BRICKS] };
    table[BINDING_SLOTS] = (struct binding){ &extraction->fixed[FIXED_SLOTS] };
    table[BINDING_ROW_MASKS] = (struct binding){ &extraction->row_masks };
    table[BINDING_ROW_PREFIXES] = (struct binding){ &extraction->fixed[FIXED_ROW_PREFIXES] };
    table[BINDING_CELLS] = (struct binding){ &extraction->cells };
    table[BINDING_EDGES] = (struct binding){ &target->edges };
    table[BINDING_VERTICES] = (struct binding){ &target->vertices };
    table[BINDING_INDICES] = (struct binding){ &target->indices };
    table[BINDING_BRICKS_COUNTER] = (struct binding){ control, CONTROL_COUNTERS + LIST_BRICKS };
    table[BINDING_CELLS_COUNTER] = (struct binding){ control, CONTROL_COUNTERS + LIST_CELLS };
    table[BINDING_VERTICES_COUNTER] = (struct binding){ control, CONTROL_COUNTERS + LIST_VERTICES };
    table[BINDING_TRIANGLES_COUNTER] =
        (struct binding){ control, CONTROL_COUNTERS + LIST_TRIANGLES };
    table[BINDING_HALO_ARGUMENTS] = (struct binding){ control, CONTROL_HALO };
    table[BINDING_ROWS_ARGUMENTS] = (struct binding){ control, CONTROL_ROWS };
    table[BINDING_FOURS_ARGUMENTS] = (struct binding){ control, CONTROL_FOURS };
    table[BINDING_SHARED_ARGUMENTS] = (struct binding){ control, CONTROL_SHARED };
    table[BINDING_CELLS_ARGUMENTS] = (struct binding){ control, CONTROL_CELLS };
    table[BINDING_DRAW] = (struct binding){ &target->draw };
    table[BINDING_LISTS_DRAW] = (struct binding){ control, CONTROL_LISTS_DRAW };
    table[BINDING_PREVIOUS_DRAW] =
        (struct binding){ step->previous ? &step->previous->draw : NULL };
}

// Dispatches a kernel with the arguments in a slot of `control`.
static void step_dispatch(
    struct extraction *extraction, struct run *run, const struct binding table[BINDINGS],
    enum step_kernel kernel, const void *push, enum control arguments)
{
    run_dispatch_indirect(
        run, &extraction->kernels[kernel], table, push, &extraction->fixed[FIXED_CONTROL],
        arguments * BUFFER_SLOT);
}

// Empties all lists, and sets the dispatch arguments that grow with a list to no workgroups.
static void
step_reset_control(struct extraction *extraction, struct run *run, const struct surface *target)
{
    uint32_t slots[CONTROL_ROWS][BUFFER_SLOT / sizeof(uint32_t)] = { 0 };
    for (int i = 0; i < LISTS; i++) {
        const struct list_counter empty = {
            .capacity = (uint32_t)extraction_capacity(extraction, target, i),
        };
        memcpy(slots[CONTROL_COUNTERS + i], &empty, sizeof empty);
    }
    for (int i = 1; i < 3; i++) {
        slots[CONTROL_HALO][i] = slots[CONTROL_CELLS][i] = 1;
    }
    run_update(run, &extraction->fixed[FIXED_CONTROL], 0, slots, sizeof slots);
}

// The brick stream: bricks whose range spans the isovalue.
static void step_record_bricks(
    struct extraction *extraction, struct run *run, const struct extraction_step *step,
    const struct binding table[BINDINGS], uint32_t key)
{
    const struct method *method = extraction->selections[STREAM_BRICKS].method;
    struct binding own[BINDINGS];
    memcpy(own, table, sizeof own);
    own[BINDING_LIST] = table[BINDING_BRICKS];
    own[BINDING_COUNTER] = table[BINDING_BRICKS_COUNTER];
    own[BINDING_ARGUMENTS] = table[BINDING_HALO_ARGUMENTS];
    compaction_record(
        &extraction->compaction, run,
        &(struct compaction_run){
            .method = method,
            .stream = STREAM_BRICKS,
            .table = own,
            .capacity = (uint32_t)extraction_capacity(extraction, step->target, LIST_BRICKS),
            .key = key,
            .every = step->every_brick,
        });
    if (!method->writes_arguments) {
        run_dispatch(
            run, &extraction->kernels[KERNEL_ARRANGE_BRICKS], own,
            &(struct arrange_push){ HALO_ROWS, extraction->gpu->traits->classify_rows }, 1, 1, 1);
    }
    run_stamp(run, STAGE_BRICKS);
}

// The cell stream: cells of the active bricks whose corners differ.
static void step_record_cells(
    struct extraction *extraction, struct run *run, const struct extraction_step *step,
    const struct binding table[BINDINGS])
{
    const struct method *method = extraction->selections[STREAM_CELLS].method;
    struct binding own[BINDINGS];
    memcpy(own, table, sizeof own);
    own[BINDING_LIST] = table[BINDING_CELLS];
    own[BINDING_COUNTER] = table[BINDING_CELLS_COUNTER];
    own[BINDING_ARGUMENTS] = table[BINDING_CELLS_ARGUMENTS];
    compaction_record(
        &extraction->compaction, run,
        &(struct compaction_run){
            .method = method,
            .stream = STREAM_CELLS,
            .table = own,
            .capacity = (uint32_t)extraction_capacity(extraction, step->target, LIST_CELLS),
            .lane_arguments = &extraction->fixed[FIXED_CONTROL],
            .lane_arguments_offset = CONTROL_ROWS * BUFFER_SLOT,
            .shared_arguments_offset = CONTROL_SHARED * BUFFER_SLOT,
            .four_arguments_offset = CONTROL_FOURS * BUFFER_SLOT,
        });
    if (!method->writes_arguments) {
        run_dispatch(
            run, &extraction->kernels[KERNEL_ARRANGE_CELLS], own,
            &(struct arrange_push){ 1, extraction->gpu->traits->triangles_cells }, 1, 1, 1);
    }
    run_stamp(run, STAGE_CELLS);
}

// Copies the counts for the host. If the surface is drawn, sets its draw command.
static void step_record_finish(
    struct extraction *extraction, struct run *run, const struct extraction_step *step,
    const struct binding table[BINDINGS])
{
    const uint64_t counters = CONTROL_COUNTERS * BUFFER_SLOT;
    run_copy(
        run, &extraction->fixed[FIXED_CONTROL], counters, &extraction->fixed[FIXED_COUNTS], 0,
        extraction->fixed[FIXED_COUNTS].size);
    for (uint32_t i = 0; i < LISTS; i++) {
        run_use_part(run, &extraction->fixed[FIXED_COUNTS], i * BUFFER_SLOT, ACCESS_HOST);
    }
    if (step->draws) {
        run_dispatch(
            run, &extraction->kernels[KERNEL_FINISH], table,
            &(struct finish_push){ .has_previous = step->previous != NULL }, 1, 1, 1);
        run_use(run, &step->target->vertices, ACCESS_DRAW);
        run_use(run, &step->target->indices, ACCESS_DRAW);
        run_use(run, &step->target->draw, ACCESS_DRAW);
    }
    if (step->draws && step->previous) {
        run_use(run, &step->previous->draw, ACCESS_DRAW);
    }
    run_stamp(run, STAGE_FINISH);
}

bool extraction_moves(const struct extraction *extraction, const struct extraction_step *step)
{
    const struct surface *target = step->target;
    const uint64_t *serials = extraction->made.serials;
    return !step->anew && extraction->made.known && extraction->made.surface == target &&
           serials[0] == target->vertices.serial && serials[1] == target->edges.serial &&
           serials[2] == target->indices.serial && extraction->step.method == step->method &&
           extraction->step.every_brick == step->every_brick && extraction->step.iso != step->iso &&
           extraction->made.key == atlas_iso(extraction->atlas->type, step->iso).key;
}

static void step_stamp_end(
    struct extraction *extraction, const struct run *run, const struct extraction_step *step)
{
    if (step->times == TIME_STEP) {
        stopwatch_stamp(&extraction->timer, run->cmd, stage_of(STAGE_EXTRACTION));
    }
}

void extraction_record(
    struct extraction *extraction, struct run *run, const struct extraction_step *step)
{
    assert(extraction->prepared == step->target);
    const struct vertices_push vertices = {
        .iso = atlas_iso(extraction->atlas->type, step->iso),
        .base_y = extraction->atlas->base_y,
        .base_z = extraction->atlas->base_z,
        .capacity = (uint32_t)extraction_capacity(extraction, step->target, LIST_VERTICES),
    };
    struct binding table[BINDINGS];
    step_bind(extraction, step, table);
    extraction->timer.count = 0;
    if (!run->timer && step->times != TIME_NOTHING) {
        stopwatch_begin(&extraction->timer, run->cmd);
        run->timer = step->times == TIME_STAGES ? &extraction->timer : NULL;
    }
    extraction->moving = extraction_moves(extraction, step);
    extraction->step = *step;
    if (extraction->moving) { // dispatches only the vertices, for the edges that the last step
                              // listed
        uint32_t groups[2];
        run_fold(extraction->made.vertices, GROUP * extraction->gpu->traits->vertices_each, groups);
        run_dispatch(
            run, &extraction->kernels[KERNEL_VERTICES], table, &vertices, groups[0], groups[1], 1);
        run_stamp(run, STAGE_VERTICES);
        step_stamp_end(extraction, run, step);
        if (step->draws) {
            run_use(run, &step->target->vertices, ACCESS_DRAW);
        }
        return;
    }
    step_reset_control(extraction, run, step->target);
    step_record_bricks(extraction, run, step, table, vertices.iso.key);
    extraction->made.known = false;
    extraction->made.surface = step->target;
    extraction->made.key = vertices.iso.key;
    extraction->made.draws = step->draws;
    step_dispatch(
        extraction, run, table, KERNEL_CLASSIFY, &(struct classify_push){ .key = vertices.iso.key },
        CONTROL_HALO);
    run_stamp(run, STAGE_CLASSIFY);
    step_record_cells(extraction, run, step, table);
    step_dispatch(extraction, run, table, KERNEL_EDGES, &vertices, CONTROL_SHARED);
    run_stamp(run, STAGE_VERTICES);
    const struct triangles_push triangles = {
        .capacity = (uint32_t)extraction_capacity(extraction, step->target, LIST_TRIANGLES),
    };
    step_dispatch(extraction, run, table, KERNEL_TRIANGLES, &triangles, CONTROL_CELLS);
    run_stamp(run, STAGE_TRIANGLES);
    step_record_finish(extraction, run, step, table);
    step_stamp_end(extraction, run, step);
}
