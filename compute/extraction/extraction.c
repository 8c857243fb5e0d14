// The passes of a step, in order:
//
//   bricks      a compaction method: bricks whose range spans the isovalue
//   classify    their samples against the isovalue, one bit each, 25 rows of 32 with the halo
//   edges       crossing edges: a record per row, and the list of vertices
//   cells       the compaction method again: cells whose corners differ
//   vertices    one position and normal per crossing edge
//   triangles   one to five per active cell
//   finish      is it whole? the draw command, and the counts for the host
//
// After the first pass nothing touches what the isovalue does not.

#include "compute/extraction/extraction.h"

#include "compute/bindings.h"
#include "compute/extraction/kernels.h"
#include "compute/reference/reference.h"
#include "compute/reference/tables.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The lists whose length only the device knows.
enum list { LIST_BRICKS, LIST_CELLS, LIST_VERTICES, LIST_TRIANGLES, LISTS };

// Indirect arguments, 16 bytes each: per halo row and per row of the active bricks, per cell, per
// vertex.
enum groups { GROUPS_HALO, GROUPS_ROWS, GROUPS_CELLS, GROUPS_VERTICES, GROUPS };

#define ROWS_BYTES (HALO_ROWS * 8) // per active brick

struct extraction {
    struct gpu *gpu;
    const struct atlas *atlas;
    struct bindings bindings;
    struct kernel kernels[STAGES];
    struct compaction compaction;
    struct stopwatch timer;
    struct buffer cases;    // the 256 cases, 8 bytes each
    struct buffer heads;    // LISTS list_heads
    struct buffer groups;   // GROUPS indirect arguments
    struct buffer bricks;   // ids of the active bricks
    struct buffer slots;    // per brick: its place in `bricks`
    struct buffer rows;     // inside bits of the active bricks
    struct buffer records;  // per brick row: first vertex and crossings
    struct buffer cells;    // ids of the active cells
    struct buffer counts;   // struct step_counts, for the host
    uint64_t wanted[LISTS]; // what the next prepare makes room for
    double iso;             // of the step recorded last
    const struct method *method;
};

void surface_destroy(struct gpu *gpu, struct surface *surface)
{
    buffer_destroy(gpu, &surface->positions);
    buffer_destroy(gpu, &surface->normals);
    buffer_destroy(gpu, &surface->edges);
    buffer_destroy(gpu, &surface->indices);
    buffer_destroy(gpu, &surface->draw);
}

// Most of each that a volume can have.
static uint64_t most(const struct atlas *atlas, enum list list)
{
    const uint64_t x = atlas->dim[0], y = atlas->dim[1], z = atlas->dim[2];
    const uint64_t cells = (x - 1) * (y - 1) * (z - 1);
    switch (list) {
    case LIST_BRICKS:
        return atlas->brick_count;
    case LIST_CELLS:
        return cells;
    case LIST_VERTICES:
        return (x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1);
    default:
        return cells * CASE_MAX_TRIANGLES;
    }
}

static uint64_t bounded(const struct atlas *atlas, enum list list, uint64_t wanted)
{
    const uint64_t limit = most(atlas, list);
    return wanted < limit ? wanted : limit;
}

// Before anything is known: a surface that crosses every brick layer once or so.
static void guess(struct extraction *extraction)
{
    const uint64_t bricks = extraction->atlas->brick_count / 3 + 64;
    const uint64_t wanted[LISTS] = {
        [LIST_BRICKS] = bricks,
        [LIST_CELLS] = bricks * 48,
        [LIST_VERTICES] = bricks * 52,
        [LIST_TRIANGLES] = bricks * 104,
    };
    for (int i = 0; i < LISTS; i++) {
        extraction->wanted[i] = bounded(extraction->atlas, i, wanted[i]);
    }
}

// The cases as triangles.comp reads them: the count, then an edge per four bits.
static bool upload_cases(struct extraction *extraction, struct problem *problem)
{
    struct marching_cubes_case cases[CASES];
    marching_cubes_derive(cases);
    uint64_t packed[CASES];
    for (int i = 0; i < CASES; i++) {
        packed[i] = cases[i].triangle_count;
        for (int k = 0; k < 3 * cases[i].triangle_count; k++) {
            packed[i] |= (uint64_t)cases[i].edges[k / 3][k % 3] << (4 + 4 * k);
        }
    }
    uint32_t words[CASES][2];
    for (int i = 0; i < CASES; i++) {
        words[i][0] = (uint32_t)packed[i];
        words[i][1] = (uint32_t)(packed[i] >> 32);
    }
    return buffer_upload(extraction->gpu, &extraction->cases, 0, words, sizeof words, problem);
}

bool extraction_create(
    struct gpu *gpu, const struct atlas *atlas, struct extraction **out, struct problem *problem)
{
    *out = NULL;
    struct extraction *extraction = calloc(1, sizeof *extraction);
    if (!extraction) {
        return problem_set(problem, PROBLEM_DEVICE, "out of memory preparing the extraction");
    }
    extraction->gpu = gpu;
    extraction->atlas = atlas;
    const bool image = atlas->storage == ATLAS_STORAGE_IMAGE;
    const uint64_t bricks = atlas->brick_count;
    const struct {
        struct buffer *buffer;
        struct buffer_params params;
    } needs[] = {
        { &extraction->cases, { "cases", CASES * 8, BUFFER_DEVICE } },
        { &extraction->heads, { "list heads", LISTS * sizeof(struct list_head), BUFFER_DEVICE } },
        { &extraction->groups, { "indirect groups", GROUPS * 16, BUFFER_DEVICE } },
        { &extraction->bricks, { "active bricks", bricks * 4, BUFFER_DEVICE } },
        { &extraction->slots, { "brick slots", bricks * 4, BUFFER_DEVICE } },
        { &extraction->records, { "row records", bricks * BRICK_ROWS * 16, BUFFER_DEVICE } },
        { &extraction->counts, { "counts", sizeof(struct step_counts), BUFFER_READBACK } },
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (!buffer_create(gpu, &needs[i].params, needs[i].buffer, problem)) {
            goto fail;
        }
    }
    if (!upload_cases(extraction, problem) ||
        !bindings_create(gpu, image, &extraction->bindings, problem) ||
        !atlas_bind(gpu, atlas, &extraction->bindings, problem) ||
        !bindings_set_buffer(
            gpu, &extraction->bindings, BINDING_RECORDS, &extraction->records,
            VK_FORMAT_R32G32B32A32_UINT, problem) ||
        !bindings_set_buffer(
            gpu, &extraction->bindings, BINDING_CASES, &extraction->cases, VK_FORMAT_R32G32_UINT,
            problem) ||
        !stopwatch_create(gpu, &extraction->timer, problem)) {
        goto fail;
    }
    uint32_t constants[CONSTANTS];
    atlas_constants(atlas, constants);
    for (int i = 0; i < STAGES; i++) {
        if (!kernel_create(
                gpu, stage_info(i, image), constants, CONSTANTS, extraction->bindings.layout,
                &extraction->kernels[i], problem)) {
            goto fail;
        }
    }
    if (!compaction_create(
            gpu, constants, CONSTANTS, extraction->bindings.layout, &extraction->compaction,
            problem)) {
        goto fail;
    }
    guess(extraction);
    *out = extraction;
    return true;
fail:
    extraction_destroy(extraction);
    return false;
}

void extraction_destroy(struct extraction *extraction)
{
    if (!extraction) {
        return;
    }
    struct gpu *gpu = extraction->gpu;
    for (int i = 0; i < STAGES; i++) {
        kernel_destroy(gpu, &extraction->kernels[i]);
    }
    compaction_destroy(&extraction->compaction);
    stopwatch_destroy(gpu, &extraction->timer);
    bindings_destroy(gpu, &extraction->bindings);
    struct buffer *const buffers[] = {
        &extraction->cases,  &extraction->heads, &extraction->groups,
        &extraction->bricks, &extraction->slots, &extraction->records,
        &extraction->rows,   &extraction->cells, &extraction->counts,
    };
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        buffer_destroy(gpu, buffers[i]);
    }
    free(extraction);
}

static uint64_t
capacity(const struct extraction *extraction, const struct surface *target, enum list list)
{
    switch (list) {
    case LIST_BRICKS:
        return bounded(extraction->atlas, list, extraction->rows.size / ROWS_BYTES);
    case LIST_CELLS:
        return extraction->cells.size / 4;
    case LIST_VERTICES: {
        const uint64_t positions = target->positions.size / 12;
        const uint64_t normals = target->normals.size / 12;
        const uint64_t edges = target->edges.size / 4;
        const uint64_t both = positions < normals ? positions : normals;
        return both < edges ? both : edges;
    }
    default:
        return target->indices.size / 12;
    }
}

// The two streams of a step, at most.
static void stream_sizes(
    const struct extraction *extraction, uint64_t bricks, struct compaction_size sizes[STREAMS])
{
    const struct atlas *atlas = extraction->atlas;
    const uint32_t side = (uint32_t)ceil(sqrt((double)atlas->brick_count));
    sizes[STREAM_BRICKS] = (struct compaction_size){
        .lanes = atlas->brick_count,
        .width = side,
        .height = (atlas->brick_count + side - 1) / side,
    };
    // The base over the atlas: a texel per row of 32 cells, slices tiled about as wide as high.
    const uint32_t wide = atlas->bricks[0], high = atlas->bricks[1] * BRICK_Y;
    const uint32_t deep = atlas->bricks[2] * BRICK_Z;
    uint32_t cols = (uint32_t)ceil(sqrt((double)deep * high / wide));
    cols = cols > deep ? deep : cols;
    sizes[STREAM_CELLS] = (struct compaction_size){
        .lanes = (uint32_t)(bricks * BRICK_ROWS),
        .width = cols * wide,
        .height = (deep + cols - 1) / cols * high,
        .cols = cols,
    };
}

bool extraction_prepare(
    struct extraction *extraction, struct surface *target, struct problem *problem)
{
    struct gpu *gpu = extraction->gpu;
    const uint64_t *wanted = extraction->wanted;
    const struct {
        struct buffer *buffer;
        const char *name;
        uint64_t bytes;
    } needs[] = {
        { &extraction->rows, "rows of the active bricks", wanted[LIST_BRICKS] * ROWS_BYTES },
        { &extraction->cells, "active cells", wanted[LIST_CELLS] * 4 },
        { &target->positions, "vertex positions", wanted[LIST_VERTICES] * 12 },
        { &target->normals, "vertex normals", wanted[LIST_VERTICES] * 12 },
        { &target->edges, "vertex edges", wanted[LIST_VERTICES] * 4 },
        { &target->indices, "triangles", wanted[LIST_TRIANGLES] * 12 },
        { &target->draw, "draw commands", 2 * sizeof(VkDrawIndexedIndirectCommand) },
    };
    enum { NEEDS = sizeof needs / sizeof *needs };
    struct buffer made[NEEDS] = { 0 };
    for (int i = 0; i < NEEDS; i++) {
        if ((needs[i].buffer->size < needs[i].bytes || !needs[i].buffer->handle) &&
            !buffer_create(
                gpu, &(struct buffer_params){ .name = needs[i].name, .size = needs[i].bytes },
                &made[i], problem)) {
            goto fail;
        }
    }
    struct compaction_size sizes[STREAMS];
    stream_sizes(extraction, wanted[LIST_BRICKS], sizes);
    if (sizes[STREAM_CELLS].lanes < extraction->compaction.size[STREAM_CELLS].lanes) {
        sizes[STREAM_CELLS].lanes = extraction->compaction.size[STREAM_CELLS].lanes;
    }
    if (!compaction_reserve(&extraction->compaction, sizes, problem)) {
        goto fail;
    }
    if (made[0].handle &&
        !bindings_set_buffer(
            gpu, &extraction->bindings, BINDING_ROWS, &made[0], VK_FORMAT_R32G32_UINT, problem)) {
        goto fail;
    }
    for (int i = 0; i < NEEDS; i++) {
        if (made[i].handle) {
            buffer_destroy(gpu, needs[i].buffer);
            *needs[i].buffer = made[i];
        }
    }
    return true;
fail:
    for (int i = 0; i < NEEDS; i++) {
        buffer_destroy(gpu, &made[i]);
    }
    return false;
}

static VkDeviceAddress head(const struct extraction *extraction, enum list list)
{
    return extraction->heads.address + list * sizeof(struct list_head);
}

static VkDeviceAddress groups(const struct extraction *extraction, enum groups which)
{
    return extraction->groups.address + which * 16;
}

static void
reset_heads(struct extraction *extraction, struct run *run, const struct surface *target)
{
    for (int i = 0; i < LISTS; i++) {
        const uint64_t room = capacity(extraction, target, i);
        const struct list_head empty = { .capacity =
                                             (uint32_t)bounded(extraction->atlas, i, room) };
        run_update(run, &extraction->heads, i * sizeof empty, &empty, sizeof empty);
    }
}

// The brick stream: bricks whose range spans the isovalue.
static void record_bricks(
    struct extraction *extraction, struct run *run, const struct method *method, uint32_t key)
{
    compaction_record(
        &extraction->compaction, run,
        &(struct compaction_run){
            .method = method,
            .stream = STREAM_BRICKS,
            .source = extraction->atlas->ranges.address,
            .key = key,
            .head = head(extraction, LIST_BRICKS),
            .list = extraction->bricks.address,
        });
    run_dispatch(
        run, &extraction->compaction.arrange,
        &(struct arrange_push){
            .head = head(extraction, LIST_BRICKS),
            .groups = groups(extraction, GROUPS_HALO),
            .other_head = head(extraction, LIST_BRICKS),
            .other_groups = groups(extraction, GROUPS_ROWS),
            .lanes = HALO_ROWS,
            .other_lanes = BRICK_ROWS,
        },
        1, 1, 1);
    run_stamp(run, "bricks");
}

static void record_classify(struct extraction *extraction, struct run *run, uint32_t key)
{
    run_dispatch_indirect(
        run, &extraction->kernels[STAGE_CLASSIFY],
        &(struct classify_push){
            .bricks_head = head(extraction, LIST_BRICKS),
            .bricks = extraction->bricks.address,
            .rows = extraction->rows.address,
            .slots = extraction->slots.address,
            .key = key,
        },
        &extraction->groups, GROUPS_HALO * 16);
    run_stamp(run, "classify");
}

static void
record_edges(struct extraction *extraction, struct run *run, const struct surface *target)
{
    run_dispatch_indirect(
        run, &extraction->kernels[STAGE_EDGES],
        &(struct edges_push){
            .bricks_head = head(extraction, LIST_BRICKS),
            .bricks = extraction->bricks.address,
            .rows = extraction->rows.address,
            .gaps = extraction->atlas->gaps.address,
            .records = extraction->records.address,
            .vertices_head = head(extraction, LIST_VERTICES),
            .edges = target->edges.address,
        },
        &extraction->groups, GROUPS_ROWS * 16);
    run_stamp(run, "edges");
}

// The cell stream: cells of the active bricks whose corners differ.
static void
record_cells(struct extraction *extraction, struct run *run, const struct method *method)
{
    compaction_record(
        &extraction->compaction, run,
        &(struct compaction_run){
            .method = method,
            .stream = STREAM_CELLS,
            .source = extraction->bricks.address,
            .source_head = head(extraction, LIST_BRICKS),
            .rows = extraction->rows.address,
            .gaps = extraction->atlas->gaps.address,
            .lane_groups = &extraction->groups,
            .lane_groups_offset = GROUPS_ROWS * 16,
            .head = head(extraction, LIST_CELLS),
            .list = extraction->cells.address,
        });
    run_dispatch(
        run, &extraction->compaction.arrange,
        &(struct arrange_push){
            .head = head(extraction, LIST_CELLS),
            .groups = groups(extraction, GROUPS_CELLS),
            .other_head = head(extraction, LIST_VERTICES),
            .other_groups = groups(extraction, GROUPS_VERTICES),
            .lanes = 1,
            .other_lanes = 1,
        },
        1, 1, 1);
    run_stamp(run, "cells");
}

static void record_vertices(
    struct extraction *extraction, struct run *run, const struct surface *target,
    const struct atlas_iso *iso)
{
    run_dispatch_indirect(
        run, &extraction->kernels[STAGE_VERTICES],
        &(struct vertices_push){
            .vertices_head = head(extraction, LIST_VERTICES),
            .edges = target->edges.address,
            .positions = target->positions.address,
            .normals = target->normals.address,
            .iso_key = iso->iso_key,
            .iso_high = iso->high,
            .iso_low = iso->low,
            .scale = extraction->atlas->scale,
        },
        &extraction->groups, GROUPS_VERTICES * 16);
    run_stamp(run, "vertices");
}

static void
record_triangles(struct extraction *extraction, struct run *run, const struct surface *target)
{
    run_dispatch_indirect(
        run, &extraction->kernels[STAGE_TRIANGLES],
        &(struct triangles_push){
            .cells_head = head(extraction, LIST_CELLS),
            .cells = extraction->cells.address,
            .slots = extraction->slots.address,
            .rows = extraction->rows.address,
            .records = extraction->records.address,
            .triangles_head = head(extraction, LIST_TRIANGLES),
            .indices = target->indices.address,
        },
        &extraction->groups, GROUPS_CELLS * 16);
    run_stamp(run, "triangles");
}

static void
record_finish(struct extraction *extraction, struct run *run, const struct extraction_step *step)
{
    run_dispatch(
        run, &extraction->kernels[STAGE_FINISH],
        &(struct finish_push){
            .bricks_head = head(extraction, LIST_BRICKS),
            .cells_head = head(extraction, LIST_CELLS),
            .vertices_head = head(extraction, LIST_VERTICES),
            .triangles_head = head(extraction, LIST_TRIANGLES),
            .draw = step->target->draw.address,
            .previous_draw = step->previous ? step->previous->draw.address : 0,
            .counts = extraction->counts.address,
            .has_previous = step->previous != NULL,
        },
        1, 1, 1);
    run_use(run, &extraction->counts, ACCESS_HOST);
    run_use(run, &step->target->positions, ACCESS_DRAW);
    run_use(run, &step->target->normals, ACCESS_DRAW);
    run_use(run, &step->target->indices, ACCESS_DRAW);
    run_use(run, &step->target->draw, ACCESS_DRAW);
    if (step->previous) {
        run_use(run, &step->previous->draw, ACCESS_DRAW);
    }
    run_stamp(run, "finish");
}

void extraction_record(
    struct extraction *extraction, struct run *run, const struct extraction_step *step)
{
    assert(step->target->draw.handle && extraction->rows.handle);
    const struct atlas_iso iso = atlas_iso(extraction->atlas, step->iso);
    run->set = extraction->bindings.set;
    if (!run->timer) {
        run->timer = &extraction->timer;
        stopwatch_begin(run->timer, run->cmd);
    }
    reset_heads(extraction, run, step->target);
    record_bricks(extraction, run, step->method, iso.key);
    record_classify(extraction, run, iso.key);
    record_edges(extraction, run, step->target);
    record_cells(extraction, run, step->method);
    record_vertices(extraction, run, step->target, &iso);
    record_triangles(extraction, run, step->target);
    record_finish(extraction, run, step);
    extraction->iso = step->iso;
    extraction->method = step->method;
}

void extraction_collect(struct extraction *extraction, struct extraction_result *out)
{
    const struct step_counts *counts = extraction->counts.mapped;
    *out = (struct extraction_result){
        .iso = extraction->iso,
        .method = extraction->method,
        .active_bricks = counts->bricks,
        .active_cells = counts->cells,
        .vertices = counts->vertices,
        .triangles = counts->triangles,
        .whole = counts->whole,
        .stage_count = extraction->timer.count,
    };
    memcpy(out->stages, extraction->timer.names, sizeof out->stages);
    stopwatch_read(extraction->gpu, &extraction->timer, out->stage_ms);
    if (out->whole) {
        return;
    }
    // Where bricks were left out, what came after counted only a part.
    const double share = counts->bricks > extraction->wanted[LIST_BRICKS]
                             ? (double)counts->bricks / (double)extraction->wanted[LIST_BRICKS]
                             : 1;
    const double seen[LISTS] = {
        [LIST_BRICKS] = counts->bricks,
        [LIST_CELLS] = counts->cells * share,
        [LIST_VERTICES] = counts->vertices * share,
        [LIST_TRIANGLES] = counts->triangles * share,
    };
    for (int i = 0; i < LISTS; i++) {
        // Room to spare, so that a drag does not grow at every step.
        const uint64_t need = counts->wrapped ? UINT64_MAX : (uint64_t)(seen[i] * 1.25);
        if (need > extraction->wanted[i]) {
            extraction->wanted[i] = bounded(extraction->atlas, i, need);
        }
    }
}

bool extraction_run(
    struct extraction *extraction, const struct extraction_step *step,
    struct extraction_result *out, struct problem *problem)
{
    for (int attempt = 0; attempt < 6; attempt++) {
        if (!extraction_prepare(extraction, step->target, problem)) {
            return false;
        }
        VkCommandBuffer cmd = gpu_begin(extraction->gpu, problem);
        if (!cmd) {
            return false;
        }
        struct run run;
        run_begin(&run, extraction->gpu, cmd, NULL);
        extraction_record(extraction, &run, step);
        if (!gpu_submit_and_wait(extraction->gpu, cmd, problem)) {
            return false;
        }
        extraction_collect(extraction, out);
        if (out->whole) {
            return true;
        }
    }
    return problem_set(
        problem, PROBLEM_DEVICE, "the surface at %g has more than 2^32 elements: it does not fit",
        step->iso);
}

// The linear index of a sample of a brick.
static uint64_t sample_index(const struct atlas *atlas, uint32_t brick, uint32_t row, uint32_t x)
{
    const uint64_t bx = brick % atlas->bricks[0];
    const uint64_t by = brick / atlas->bricks[0] % atlas->bricks[1];
    const uint64_t bz = brick / atlas->bricks[0] / atlas->bricks[1];
    return ((bz * BRICK_Z + row / BRICK_Y) * atlas->dim[1] + by * BRICK_Y + row % BRICK_Y) *
               atlas->dim[0] +
           bx * BRICK_X + x;
}

bool extraction_download(
    struct extraction *extraction, const struct surface *surface,
    const struct extraction_result *result, struct mesh *out, struct problem *problem)
{
    struct gpu *gpu = extraction->gpu;
    if (!mesh_create(result->vertices, result->triangles, out, problem)) {
        return false;
    }
    const uint64_t vertices = result->vertices;
    // The ids arrive in the upper half of where their 64-bit form will stand, and widen in place.
    uint32_t *ids = (uint32_t *)out->edges + vertices;
    if (vertices > 0 &&
        (!buffer_download(gpu, &surface->positions, 0, out->positions, vertices * 12, problem) ||
         !buffer_download(gpu, &surface->normals, 0, out->normals, vertices * 12, problem) ||
         !buffer_download(gpu, &surface->edges, 0, ids, vertices * 4, problem))) {
        goto fail;
    }
    if (result->triangles > 0 &&
        !buffer_download(
            gpu, &surface->indices, 0, out->triangles, result->triangles * 12, problem)) {
        goto fail;
    }
    for (uint64_t i = 0; i < vertices; i++) {
        uint32_t id;
        memcpy(&id, &ids[i], sizeof id);
        out->edges[i] =
            3 * sample_index(extraction->atlas, id >> 11, id >> 7 & 15, id & 31) + (id >> 5 & 3);
    }
    if (!mesh_canonicalize(out, problem)) {
        goto fail;
    }
    return true;
fail:
    mesh_destroy(out);
    return false;
}

bool extraction_cells(
    struct extraction *extraction, const struct extraction_result *result, struct cell_list *out,
    struct problem *problem)
{
    const struct atlas *atlas = extraction->atlas;
    const uint64_t count = result->active_cells;
    *out = (struct cell_list){ .count = count };
    out->cells = malloc((count ? count : 1) * sizeof *out->cells);
    if (!out->cells) {
        *out = (struct cell_list){ 0 };
        return problem_set(problem, PROBLEM_DEVICE, "out of memory reading the active cells");
    }
    uint32_t *ids = (uint32_t *)out->cells + count;
    if (count > 0 &&
        !buffer_download(extraction->gpu, &extraction->cells, 0, ids, count * 4, problem)) {
        cell_list_destroy(out);
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint32_t id;
        memcpy(&id, &ids[i], sizeof id);
        const uint64_t sample = sample_index(atlas, id >> 9, id >> 5 & 15, id & 31);
        const uint64_t x = sample % atlas->dim[0];
        const uint64_t row = sample / atlas->dim[0];
        const uint64_t y = row % atlas->dim[1], z = row / atlas->dim[1];
        out->cells[i] = (z * (atlas->dim[1] - 1) + y) * (atlas->dim[0] - 1) + x;
    }
    return true;
}

uint64_t extraction_stream_order(const uint32_t dim[3], uint64_t cell)
{
    const uint64_t x = cell % (dim[0] - 1), row = cell / (dim[0] - 1);
    const uint64_t y = row % (dim[1] - 1), z = row / (dim[1] - 1);
    const uint64_t wide = (dim[0] + BRICK_X - 1) / BRICK_X;
    const uint64_t high = (dim[1] + BRICK_Y - 1) / BRICK_Y;
    const uint64_t brick = (z / BRICK_Z * high + y / BRICK_Y) * wide + x / BRICK_X;
    return brick * BRICK_CELLS + (z % BRICK_Z * BRICK_Y + y % BRICK_Y) * BRICK_X + x % BRICK_X;
}
