// The passes of a step, in order:
//
//   bricks      a compaction method: bricks whose range spans the isovalue
//   classify    compares their samples with the isovalue: row masks, including the halo
//   cells       the compaction method again: cells whose corners differ
//   vertices    crossing edges: a row prefix per row; the list of edges, and for each edge a
//   position
//               and a normal
//   triangles   one to five per active cell
//   finish      checks whether the mesh is complete; the draw command, and the counts for the host
//
// After the first pass, only bricks that span the isovalue are visited.

#include "compute/extraction/internal.h"

#include "compute/atlas_keys.h"

#include <assert.h>

static VkDeviceAddress step_counter(const struct extraction *extraction, uint32_t list)
{
    return extraction->counters.address + list * sizeof(struct list_counter);
}

static VkDeviceAddress step_arguments(const struct extraction *extraction, enum arguments which)
{
    return extraction->arguments.address + which * 16;
}

static void
step_reset_counters(struct extraction *extraction, struct run *run, const struct surface *target)
{
    for (int i = 0; i < LISTS; i++) {
        const struct list_counter empty = {
            .capacity = (uint32_t)extraction_capacity(extraction, target, i),
        };
        run_update(run, &extraction->counters, i * sizeof empty, &empty, sizeof empty);
    }
    // The arguments of these grow with their lists.
    const uint32_t none[4] = { 0, 0, 1, 0 };
    run_update(run, &extraction->arguments, ARGUMENTS_HALO * 16, none, sizeof none);
    run_update(run, &extraction->arguments, ARGUMENTS_VERTICES * 16, none, sizeof none);
}

// The method for a stream. `auto` was resolved in extraction_prepare.
static const struct method *step_stream_method(
    const struct extraction *extraction, const struct extraction_step *step, enum stream stream)
{
    return step->method->selects ? extraction->selections[stream].method : step->method;
}

// The brick stream: bricks whose range spans the isovalue.
static void step_record_bricks(
    struct extraction *extraction, struct run *run, const struct extraction_step *step,
    uint32_t key)
{
    const struct method *method = step_stream_method(extraction, step, STREAM_BRICKS);
    compaction_record(
        &extraction->compaction, run,
        &(struct compaction_run){
            .method = method,
            .stream = STREAM_BRICKS,
            .source = extraction->atlas->ranges.address,
            .key = key,
            .every = step->every_brick,
            .counter = step_counter(extraction, LIST_BRICKS),
            .list = extraction->bricks.address,
            .classify_arguments = step_arguments(extraction, ARGUMENTS_HALO),
        });
    if (!method->writes_arguments) {
        run_dispatch(
            run, &extraction->compaction.arrange,
            &(struct arrange_push){
                .counter = step_counter(extraction, LIST_BRICKS),
                .arguments = step_arguments(extraction, ARGUMENTS_HALO),
                .lanes = HALO_ROWS,
                .each = CLASSIFY_ROWS,
            },
            1, 1, 1);
    }
    run_stamp(run, STAGE_BRICKS);
}

static void step_record_classify(struct extraction *extraction, struct run *run, uint32_t key)
{
    run_dispatch_indirect(
        run, &extraction->kernels[KERNEL_CLASSIFY][extraction->bound],
        &(struct classify_push){
            .bricks_counter = step_counter(extraction, LIST_BRICKS),
            .bricks = extraction->bricks.address,
            .row_masks = extraction->row_masks.address,
            .slots = extraction->slots.address,
            .rows_arguments = step_arguments(extraction, ARGUMENTS_ROWS),
            .fours_arguments = step_arguments(extraction, ARGUMENTS_FOURS),
            .key = key,
        },
        &extraction->arguments, ARGUMENTS_HALO * 16);
    run_stamp(run, STAGE_CLASSIFY);
}

// The cell stream: cells of the active bricks whose corners differ.
static void step_record_cells(
    struct extraction *extraction, struct run *run, const struct extraction_step *step)
{
    compaction_record(
        &extraction->compaction, run,
        &(struct compaction_run){
            .method = step_stream_method(extraction, step, STREAM_CELLS),
            .stream = STREAM_CELLS,
            .source = extraction->bricks.address,
            .source_counter = step_counter(extraction, LIST_BRICKS),
            .row_masks = extraction->row_masks.address,
            .valid_masks = extraction->atlas->gaps.address,
            .lane_arguments = &extraction->arguments,
            .lane_arguments_offset = ARGUMENTS_ROWS * 16,
            .item_arguments_offset = ARGUMENTS_FOURS * 16,
            .counter = step_counter(extraction, LIST_CELLS),
            .list = extraction->cells.address,
        });
    run_stamp(run, STAGE_CELLS);
}

static void step_record_edges(
    struct extraction *extraction, struct run *run, const struct surface *target,
    const struct atlas_iso *iso)
{
    run_dispatch_indirect(
        run, &extraction->kernels[KERNEL_EDGES][extraction->bound],
        &(struct edges_push){
            .bricks_counter = step_counter(extraction, LIST_BRICKS),
            .bricks = extraction->bricks.address,
            .row_masks = extraction->row_masks.address,
            .valid_masks = extraction->atlas->gaps.address,
            .row_prefixes = extraction->row_prefixes.address,
            .vertices_counter = step_counter(extraction, LIST_VERTICES),
            .edges = target->edges.address,
            .vertices = target->vertices.address,
            .vertices_arguments = step_arguments(extraction, ARGUMENTS_VERTICES),
            .cells_counter = step_counter(extraction, LIST_CELLS),
            .cells_arguments = step_arguments(extraction, ARGUMENTS_CELLS),
            .iso_key = iso->iso_key,
            .iso_high = iso->high,
            .iso_low = iso->low,
            .iso_exponent = iso->exponent,
            .base_y = extraction->atlas->base_y,
            .base_z = extraction->atlas->base_z,
        },
        &extraction->arguments, ARGUMENTS_FOURS * 16);
    run_stamp(run, STAGE_VERTICES);
}

// Only the vertices of the edges that the last step has listed.
static void step_record_vertices(
    struct extraction *extraction, struct run *run, const struct surface *target,
    const struct atlas_iso *iso)
{
    run_dispatch_indirect(
        run, &extraction->kernels[KERNEL_VERTICES][extraction->bound],
        &(struct vertices_push){
            .vertices_counter = step_counter(extraction, LIST_VERTICES),
            .edges = target->edges.address,
            .vertices = target->vertices.address,
            .iso_key = iso->iso_key,
            .iso_high = iso->high,
            .iso_low = iso->low,
            .iso_exponent = iso->exponent,
            .base_y = extraction->atlas->base_y,
            .base_z = extraction->atlas->base_z,
        },
        &extraction->arguments, ARGUMENTS_VERTICES * 16);
    run_stamp(run, STAGE_VERTICES);
}

static void
step_record_triangles(struct extraction *extraction, struct run *run, const struct surface *target)
{
    run_dispatch_indirect(
        run, &extraction->kernels[KERNEL_TRIANGLES][extraction->bound],
        &(struct triangles_push){
            .cells_counter = step_counter(extraction, LIST_CELLS),
            .cells = extraction->cells.address,
            .slots = extraction->slots.address,
            .row_masks = extraction->row_masks.address,
            .row_prefixes = extraction->row_prefixes.address,
            .triangles_counter = step_counter(extraction, LIST_TRIANGLES),
            .indices = target->indices.address,
        },
        &extraction->arguments, ARGUMENTS_CELLS * 16);
    run_stamp(run, STAGE_TRIANGLES);
}

static void step_record_finish(
    struct extraction *extraction, struct run *run, const struct extraction_step *step)
{
    run_dispatch(
        run, &extraction->kernels[KERNEL_FINISH][extraction->bound],
        &(struct finish_push){
            .bricks_counter = step_counter(extraction, LIST_BRICKS),
            .cells_counter = step_counter(extraction, LIST_CELLS),
            .vertices_counter = step_counter(extraction, LIST_VERTICES),
            .triangles_counter = step_counter(extraction, LIST_TRIANGLES),
            .draw = step->target->draw.address,
            .previous_draw = step->previous ? step->previous->draw.address : 0,
            .counts = extraction->counts.address,
            .has_previous = step->previous != NULL,
        },
        1, 1, 1);
    run_use(run, &extraction->counts, ACCESS_HOST);
    run_use(run, &step->target->vertices, ACCESS_DRAW);
    run_use(run, &step->target->indices, ACCESS_DRAW);
    run_use(run, &step->target->draw, ACCESS_DRAW);
    if (step->previous) {
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
           serials[2] == target->indices.serial && extraction->made.method == step->method &&
           extraction->made.every == step->every_brick && extraction->made.iso != step->iso &&
           extraction->made.key == atlas_iso(extraction->atlas->type, step->iso).key;
}

void extraction_record(
    struct extraction *extraction, struct run *run, const struct extraction_step *step)
{
    assert(extraction->prepared == step->target);
    const struct atlas_iso iso = atlas_iso(extraction->atlas->type, step->iso);
    run->set = extraction->descriptors.set;
    extraction->timer.count = 0;
    if (!run->timer && !step->untimed) {
        run->timer = &extraction->timer;
        stopwatch_begin(run->timer, run->cmd);
    }
    extraction->moving = extraction_moves(extraction, step);
    extraction->iso = step->iso;
    extraction->method = step->method;
    if (extraction->moving) {
        step_record_vertices(extraction, run, step->target, &iso);
        run_use(run, &step->target->vertices, ACCESS_DRAW);
        return;
    }
    step_reset_counters(extraction, run, step->target);
    step_record_bricks(extraction, run, step, iso.key);
    extraction->made.known = false;
    extraction->made.surface = step->target;
    extraction->made.key = iso.key;
    extraction->made.every = step->every_brick;
    step_record_classify(extraction, run, iso.key);
    step_record_cells(extraction, run, step);
    step_record_edges(extraction, run, step->target, &iso);
    step_record_triangles(extraction, run, step->target);
    step_record_finish(extraction, run, step);
}
