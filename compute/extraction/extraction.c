// An extraction: its kernels, its scratch, and its buffers, which grow to what a surface needs.
// step.c records a step, readback.c reads the result back.

#include "compute/extraction/internal.h"
#include "compute/gpu/transfer.h"
#include "compute/reference/tables.h"

#include <stdlib.h>
#include <string.h>

void surface_destroy(struct gpu *gpu, struct surface *surface)
{
    buffer_destroy(gpu, &surface->vertices);
    buffer_destroy(gpu, &surface->edges);
    buffer_destroy(gpu, &surface->indices);
    buffer_destroy(gpu, &surface->draw);
}

uint64_t surface_bytes(const struct surface *surface)
{
    return surface->vertices.held + surface->edges.held + surface->indices.held +
           surface->draw.held;
}

// The cases as triangles.comp reads them: the number of triangles, then an edge in each four bits.
static bool extraction_upload_cases(struct extraction *extraction, struct problem *problem)
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
    return transfer_upload(
        extraction->gpu, &extraction->fixed[FIXED_CASES], 0, words, sizeof words, problem);
}

// Initialises the dispatch arguments: a first surface may have no bricks, and then no pass writes
// them.
static bool extraction_clear_arguments(struct extraction *extraction, struct problem *problem)
{
    static const char none[CONTROLS * BUFFER_SLOT];
    return transfer_upload(
        extraction->gpu, &extraction->fixed[FIXED_CONTROL], 0, none, sizeof none, problem);
}

static bool extraction_make_kernels(struct extraction *extraction, struct problem *problem)
{
    const bool image = extraction->storage == ATLAS_STORAGE_IMAGE;
    const struct kernel_row rows[STEP_KERNELS] = {
        [KERNEL_ARRANGE_BRICKS] = { "arrange bricks", &shader_arrange },
        [KERNEL_ARRANGE_CELLS] = { "arrange cells", &shader_arrange },
        [KERNEL_CLASSIFY] = { "classify",
                              image ? &shader_classify_image : &shader_classify_buffer },
        [KERNEL_EDGES] = { "edges", image ? &shader_edges_image : &shader_edges_buffer },
        [KERNEL_VERTICES] = { "vertices",
                              image ? &shader_vertices_image : &shader_vertices_buffer },
        [KERNEL_TRIANGLES] = { "triangles", &shader_triangles },
        [KERNEL_FINISH] = { "finish", &shader_finish },
    };
    uint32_t constants[CONSTANTS];
    atlas_constants(extraction->atlas, constants);
    compaction_constants(extraction->gpu, constants);
    return kernels_create(
        extraction->gpu, rows, STEP_KERNELS, constants, extraction->kernels, problem);
}

static bool extraction_make_fixed(struct extraction *extraction, struct problem *problem)
{
    struct buffer_params params[FIXED_BUFFERS];
    extraction_fixed(extraction->atlas, params);
    for (int i = 0; i < FIXED_BUFFERS; i++) {
        struct buffer *buffer = &extraction->fixed[i];
        if (!buffer->handle && !buffer_create(extraction->gpu, &params[i], buffer, problem)) {
            return false;
        }
    }
    return true;
}

// Forgets the results of earlier steps.
static void extraction_forget(struct extraction *extraction)
{
    compaction_forget(&extraction->compaction);
    extraction->has_counts = false;
    extraction->made.known = false;
    extraction->made.surface = NULL;
}

void extraction_strip(struct extraction *extraction)
{
    struct gpu *gpu = extraction->gpu;
    buffers_destroy(gpu, &extraction->fixed[FIXED_BRICKS], FIXED_COUNTS - FIXED_BRICKS);
    buffer_destroy(gpu, &extraction->row_masks);
    buffer_destroy(gpu, &extraction->cells);
    compaction_strip(&extraction->compaction);
    extraction_forget(extraction);
}

bool extraction_create(
    struct gpu *gpu, const struct atlas *atlas, struct extraction **out, struct problem *problem)
{
    *out = NULL;
    struct extraction *extraction = calloc(1, sizeof *extraction);
    if (!extraction) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory preparing the extraction");
    }
    extraction->gpu = gpu;
    extraction->atlas = atlas;
    extraction->storage = atlas->storage;
    if (!extraction_make_fixed(extraction, problem) ||
        !extraction_upload_cases(extraction, problem) ||
        !extraction_clear_arguments(extraction, problem) ||
        !stopwatch_create(gpu, &extraction->timer, problem)) {
        goto fail;
    }
    uint32_t constants[CONSTANTS];
    atlas_constants(atlas, constants);
    if (!extraction_make_kernels(extraction, problem) ||
        !compaction_create(
            gpu, &(struct compaction_params){ .constants = constants }, &extraction->compaction,
            problem)) {
        goto fail;
    }
    extraction_guess(gpu, atlas, extraction->wanted);
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
    kernels_destroy(gpu, extraction->kernels, STEP_KERNELS);
    compaction_destroy(&extraction->compaction);
    stopwatch_destroy(gpu, &extraction->timer);
    buffers_destroy(gpu, extraction->fixed, FIXED_BUFFERS);
    buffer_destroy(gpu, &extraction->row_masks);
    buffer_destroy(gpu, &extraction->cells);
    free(extraction);
}

static uint64_t extraction_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t extraction_greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t extraction_capacity(
    const struct extraction *extraction, const struct surface *target, uint32_t list)
{
    switch (list) {
    case LIST_BRICKS:
        return extraction_least(
            extraction->compaction.size[STREAM_CELLS].lanes / BRICK_ROWS,
            extraction->row_masks.size / ROW_MASKS_BYTES);
    case LIST_CELLS:
        return extraction->cells.size / 4;
    case LIST_VERTICES:
        return extraction_least(target->edges.size / 4, target->vertices.size / VERTEX_BYTES);
    default:
        return target->indices.size / 12;
    }
}

bool extraction_prepare(
    struct extraction *extraction, struct surface *target, const struct method *method,
    struct problem *problem)
{
    struct gpu *gpu = extraction->gpu;
    const uint64_t *wanted = extraction->wanted;
    if (!extraction_make_fixed(extraction, problem)) { // extraction_strip has freed some
        return false;
    }
    struct buffer *const grown[GROWN_BUFFERS] = {
        [GROWN_ROW_MASKS] = &extraction->row_masks, [GROWN_CELLS] = &extraction->cells,
        [GROWN_VERTICES] = &target->vertices,       [GROWN_EDGES] = &target->edges,
        [GROWN_INDICES] = &target->indices,         [GROWN_DRAW] = &target->draw,
    };
    struct buffer made[GROWN_BUFFERS] = { 0 };
    struct buffer_params params[GROWN_BUFFERS];
    extraction_grown(wanted, params);
    for (int i = 0; i < GROWN_BUFFERS; i++) {
        if ((grown[i]->size < params[i].size || !grown[i]->handle) &&
            !buffer_create(gpu, &params[i], &made[i], problem)) {
            goto fail;
        }
    }
    struct compaction_size sizes[STREAMS] = { 0 };
    extraction_streams(extraction->atlas, wanted, sizes);
    sizes[STREAM_CELLS].capacity =
        (uint32_t)extraction_greatest(wanted[LIST_CELLS], extraction->cells.size / 4);
    if (sizes[STREAM_CELLS].lanes < extraction->compaction.size[STREAM_CELLS].lanes) {
        sizes[STREAM_CELLS].lanes = extraction->compaction.size[STREAM_CELLS].lanes;
    }
    const struct method *chosen[STREAMS];
    if (!extraction_pick(extraction, method, sizes, chosen, problem) ||
        !compaction_prepare_each(&extraction->compaction, chosen, sizes, problem)) {
        goto fail;
    }
    for (int i = 0; i < GROWN_BUFFERS; i++) {
        if (made[i].handle) {
            buffer_destroy(gpu, grown[i]);
            *grown[i] = made[i];
            made[i] = (struct buffer){ 0 };
        }
    }
    extraction->prepared = target;
    return true;
fail:
    buffers_destroy(gpu, made, GROWN_BUFFERS);
    // The wanted capacities cannot be allocated. Go back to the existing capacities, or to a first
    // guess, until a step needs more again.
    extraction_guess(gpu, extraction->atlas, extraction->wanted);
    for (int i = 0; i < LISTS; i++) {
        const uint64_t held = extraction_capacity(extraction, target, i);
        extraction->wanted[i] = held ? held : extraction->wanted[i];
    }
    return false;
}

// Notes that a step was complete: the next one may reuse its results.
static void
extraction_note_made(struct extraction *extraction, const struct extraction_result *result)
{
    const struct surface *surface = extraction->made.surface;
    extraction->made.known = true;
    if (!extraction->moving) {
        extraction->made.vertices = result->vertices;
        extraction->made.serials[0] = surface->vertices.serial;
        extraction->made.serials[1] = surface->edges.serial;
        extraction->made.serials[2] = surface->indices.serial;
        extraction_learn(extraction, result);
    }
}

bool extraction_collect(
    struct extraction *extraction, struct extraction_result *out, struct problem *problem)
{
    struct list_counter counts[LISTS];
    bool whole = true, wrapped = false;
    for (int i = 0; i < LISTS; i++) {
        memcpy(
            &counts[i], (char *)extraction->fixed[FIXED_COUNTS].mapped + i * BUFFER_SLOT,
            sizeof *counts);
        whole &= counts[i].count <= counts[i].capacity && counts[i].wrapped == 0;
        wrapped |= counts[i].wrapped != 0;
    }
    *out = (struct extraction_result){
        .iso = extraction->step.iso,
        .method = extraction->step.method,
        .bricks = extraction->atlas->brick_count,
        .active_bricks = counts[LIST_BRICKS].count,
        .active_cells = counts[LIST_CELLS].count,
        .vertices = counts[LIST_VERTICES].count,
        .triangles = counts[LIST_TRIANGLES].count,
        .whole = whole,
        .moved = extraction->moving,
        .stage_count = extraction->timer.count,
        .bricks_choice = extraction->selections[STREAM_BRICKS],
        .cells_choice = extraction->selections[STREAM_CELLS],
    };
    if (!out->moved && out->cells_choice.method->has_events) {
        out->cells_events = compaction_read_events(&extraction->compaction, STREAM_CELLS);
    }
    if (!extraction->moving) {
        compaction_finished(&extraction->compaction, out->whole);
    }
    memcpy(out->stages, extraction->timer.stages, sizeof out->stages);
    stopwatch_read(extraction->gpu, &extraction->timer, out->stage_ms);
    if (out->whole) {
        extraction_note_made(extraction, out);
        return true;
    }
    // If bricks were omitted, later passes counted too few elements. The complete counts may be
    // larger by this factor.
    const double share =
        counts[LIST_BRICKS].count > extraction->wanted[LIST_BRICKS]
            ? (double)counts[LIST_BRICKS].count / (double)extraction->wanted[LIST_BRICKS]
            : 1;
    bool grows = false;
    for (int i = 0; i < LISTS; i++) {
        // Some spare capacity, so that buffers do not grow at each step of a moving isovalue.
        const double spare = counts[i].count * 1.25 * (i == LIST_BRICKS ? 1 : share);
        const uint64_t need =
            wrapped ? extraction_bounded(extraction->atlas, i, UINT64_MAX)
                    : extraction_spare(
                          extraction->gpu, extraction->atlas, i, counts[i].count, (uint64_t)spare);
        if (need > extraction->wanted[i]) {
            extraction->wanted[i] = need;
            grows = true;
        }
    }
    return grows || problem_set(
                        problem, PROBLEM_LIMIT,
                        "the surface at %g has more than 2^32 elements: it does not fit",
                        extraction->step.iso);
}

bool extraction_fits(const struct extraction *extraction, const struct atlas *described)
{
    uint32_t constants[CONSTANTS];
    atlas_constants(described, constants);
    compaction_constants(extraction->gpu, constants);
    return extraction->storage == described->storage &&
           memcmp(extraction->compaction.constants, constants, sizeof constants) == 0;
}

void extraction_turn(struct extraction *extraction, const struct atlas *atlas)
{
    extraction->atlas = atlas;
    extraction->prepared = NULL;
    extraction_forget(extraction);
}

bool extraction_attempt(
    struct extraction *extraction, const struct extraction_step *step,
    struct extraction_result *out, struct problem *problem)
{
    if (!extraction_prepare(extraction, step->target, step->method, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(extraction->gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, extraction->gpu, cmd, NULL);
    extraction_record(extraction, &run, step);
    return gpu_submit_and_wait(extraction->gpu, cmd, problem) &&
           extraction_collect(extraction, out, problem);
}

// While a buffer grows, the old and the new one exist at the same time. If both do not fit, other
// things are given up; finally everything is freed and allocated with the necessary size.
bool extraction_run(
    struct extraction *extraction, const struct extraction_step *step,
    struct extraction_result *out, struct problem *problem)
{
    struct gpu *gpu = extraction->gpu;
    bool stripped = false;
    for (;;) {
        uint64_t capacity[LISTS];
        memcpy(capacity, extraction->wanted, sizeof capacity);
        if (extraction_attempt(extraction, step, out, problem)) {
            if (out->whole) {
                return true;
            }
            stripped = false;
            continue;
        }
        if (problem->kind != PROBLEM_DEVICE_MEMORY || stripped) {
            return false;
        }
        if (extraction_bytes(gpu, extraction->atlas, step->method, capacity) >= GPU_TOO_MUCH) {
            problem->kind = PROBLEM_LIMIT; // more memory would not help
            return false;
        }
        if (!budget_give_up(&gpu->budget, GIVE_UP_SHOWN_SURFACE)) {
            extraction_strip(extraction);
            surface_destroy(gpu, step->target);
            stripped = true;
        }
        extraction_want(extraction, capacity);
    }
}
