// The passes of a step, in order:
//
//   bricks      a compaction method: bricks whose range spans the isovalue
//   classify    their samples against the isovalue, one bit each, 25 rows of 32 with the halo
//   cells       the compaction method again: cells whose corners differ
//   vertices    crossing edges: a record per row; the list of edges, and for each a position and a
//               normal
//   triangles   one to five per active cell
//   finish      is it whole? the draw command, and the counts for the host
//
// After the first pass nothing touches what the isovalue does not.

#include "compute/extraction/internal.h"

#include <assert.h>

static VkDeviceAddress head(const struct extraction *extraction, uint32_t list)
{
    return extraction->heads.address + list * sizeof(struct list_counter);
}

static VkDeviceAddress groups(const struct extraction *extraction, enum groups which)
{
    return extraction->groups.address + which * 16;
}

static void
reset_heads(struct extraction *extraction, struct run *run, const struct surface *target)
{
    for (int i = 0; i < LISTS; i++) {
        const struct list_counter empty = {
            .capacity = (uint32_t)extraction_capacity(extraction, target, i),
        };
        run_update(run, &extraction->heads, i * sizeof empty, &empty, sizeof empty);
    }
    // These grow with their lists.
    const uint32_t none[4] = { 0, 0, 1, 0 };
    run_update(run, &extraction->groups, GROUPS_HALO * 16, none, sizeof none);
    run_update(run, &extraction->groups, GROUPS_VERTICES * 16, none, sizeof none);
}

// What runs for a stream: `auto` was decided on in extraction_prepare.
static const struct method *stream_method(
    const struct extraction *extraction, const struct extraction_step *step, enum stream stream)
{
    return step->method->selects ? extraction->choices[stream].method : step->method;
}

// The brick stream: bricks whose range spans the isovalue.
static void record_bricks(
    struct extraction *extraction, struct run *run, const struct extraction_step *step,
    uint32_t key)
{
    const struct method *method = stream_method(extraction, step, STREAM_BRICKS);
    compaction_record(
        &extraction->compaction, run,
        &(struct compaction_run){
            .method = method,
            .stream = STREAM_BRICKS,
            .source = extraction->atlas->ranges.address,
            .key = key,
            .every = step->every_brick,
            .counter = head(extraction, LIST_BRICKS),
            .list = extraction->bricks.address,
            .classify_arguments = groups(extraction, GROUPS_HALO),
        });
    if (!method->writes_arguments) {
        run_dispatch(
            run, &extraction->compaction.arrange,
            &(struct arrange_push){
                .counter = head(extraction, LIST_BRICKS),
                .arguments = groups(extraction, GROUPS_HALO),
                .lanes = HALO_ROWS,
                .each = CLASSIFY_ROWS,
            },
            1, 1, 1);
    }
    run_stamp(run, STAGE_BRICKS);
}

static void record_classify(struct extraction *extraction, struct run *run, uint32_t key)
{
    run_dispatch_indirect(
        run, &extraction->kernels[KERNEL_CLASSIFY][extraction->bound],
        &(struct classify_push){
            .bricks_counter = head(extraction, LIST_BRICKS),
            .bricks = extraction->bricks.address,
            .row_masks = extraction->rows.address,
            .slots = extraction->slots.address,
            .rows_arguments = groups(extraction, GROUPS_ROWS),
            .fours_arguments = groups(extraction, GROUPS_FOURS),
            .key = key,
        },
        &extraction->groups, GROUPS_HALO * 16);
    run_stamp(run, STAGE_CLASSIFY);
}

// The cell stream: cells of the active bricks whose corners differ.
static void
record_cells(struct extraction *extraction, struct run *run, const struct extraction_step *step)
{
    compaction_record(
        &extraction->compaction, run,
        &(struct compaction_run){
            .method = stream_method(extraction, step, STREAM_CELLS),
            .stream = STREAM_CELLS,
            .source = extraction->bricks.address,
            .source_counter = head(extraction, LIST_BRICKS),
            .row_masks = extraction->rows.address,
            .valid_masks = extraction->atlas->gaps.address,
            .lane_arguments = &extraction->groups,
            .lane_arguments_offset = GROUPS_ROWS * 16,
            .item_arguments_offset = GROUPS_FOURS * 16,
            .counter = head(extraction, LIST_CELLS),
            .list = extraction->cells.address,
        });
    run_stamp(run, STAGE_CELLS);
}

static void record_edges(
    struct extraction *extraction, struct run *run, const struct surface *target,
    const struct atlas_iso *iso)
{
    run_dispatch_indirect(
        run, &extraction->kernels[KERNEL_EDGES][extraction->bound],
        &(struct edges_push){
            .bricks_counter = head(extraction, LIST_BRICKS),
            .bricks = extraction->bricks.address,
            .row_masks = extraction->rows.address,
            .valid_masks = extraction->atlas->gaps.address,
            .row_prefixes = extraction->records.address,
            .vertices_counter = head(extraction, LIST_VERTICES),
            .edges = target->edges.address,
            .vertices = target->vertices.address,
            .vertices_arguments = groups(extraction, GROUPS_VERTICES),
            .cells_counter = head(extraction, LIST_CELLS),
            .cells_arguments = groups(extraction, GROUPS_CELLS),
            .iso_key = iso->iso_key,
            .iso_high = iso->high,
            .iso_low = iso->low,
            .iso_exponent = iso->exponent,
            .base_y = extraction->atlas->base_y,
            .base_z = extraction->atlas->base_z,
        },
        &extraction->groups, GROUPS_FOURS * 16);
    run_stamp(run, STAGE_VERTICES);
}

// Of the edges that the last step has listed.
static void record_vertices(
    struct extraction *extraction, struct run *run, const struct surface *target,
    const struct atlas_iso *iso)
{
    run_dispatch_indirect(
        run, &extraction->kernels[KERNEL_VERTICES][extraction->bound],
        &(struct vertices_push){
            .vertices_counter = head(extraction, LIST_VERTICES),
            .edges = target->edges.address,
            .vertices = target->vertices.address,
            .iso_key = iso->iso_key,
            .iso_high = iso->high,
            .iso_low = iso->low,
            .iso_exponent = iso->exponent,
            .base_y = extraction->atlas->base_y,
            .base_z = extraction->atlas->base_z,
        },
        &extraction->groups, GROUPS_VERTICES * 16);
    run_stamp(run, STAGE_VERTICES);
}

static void
record_triangles(struct extraction *extraction, struct run *run, const struct surface *target)
{
    run_dispatch_indirect(
        run, &extraction->kernels[KERNEL_TRIANGLES][extraction->bound],
        &(struct triangles_push){
            .cells_counter = head(extraction, LIST_CELLS),
            .cells = extraction->cells.address,
            .slots = extraction->slots.address,
            .row_masks = extraction->rows.address,
            .row_prefixes = extraction->records.address,
            .triangles_counter = head(extraction, LIST_TRIANGLES),
            .indices = target->indices.address,
        },
        &extraction->groups, GROUPS_CELLS * 16);
    run_stamp(run, STAGE_TRIANGLES);
}

static void
record_finish(struct extraction *extraction, struct run *run, const struct extraction_step *step)
{
    run_dispatch(
        run, &extraction->kernels[KERNEL_FINISH][extraction->bound],
        &(struct finish_push){
            .bricks_counter = head(extraction, LIST_BRICKS),
            .cells_counter = head(extraction, LIST_CELLS),
            .vertices_counter = head(extraction, LIST_VERTICES),
            .triangles_counter = head(extraction, LIST_TRIANGLES),
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
    run->set = extraction->bindings.set;
    extraction->timer.count = 0;
    if (!run->timer && !step->untimed) {
        run->timer = &extraction->timer;
        stopwatch_begin(run->timer, run->cmd);
    }
    extraction->moving = extraction_moves(extraction, step);
    extraction->iso = step->iso;
    extraction->method = step->method;
    if (extraction->moving) {
        record_vertices(extraction, run, step->target, &iso);
        run_use(run, &step->target->vertices, ACCESS_DRAW);
        return;
    }
    reset_heads(extraction, run, step->target);
    record_bricks(extraction, run, step, iso.key);
    extraction->made.known = false;
    extraction->made.surface = step->target;
    extraction->made.key = iso.key;
    extraction->made.every = step->every_brick;
    record_classify(extraction, run, iso.key);
    record_cells(extraction, run, step);
    record_edges(extraction, run, step->target, &iso);
    record_triangles(extraction, run, step->target);
    record_finish(extraction, run, step);
}
