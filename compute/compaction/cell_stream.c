#include "compute/compaction/cell_stream.h"

#include "compute/gpu/transfer.h"

#include <math.h>
#include <stdlib.h>

enum { ACROSS = 8, DOWN = 8, LAYER = ACROSS * DOWN }; // bricks along x and y
enum { SPARSE = 4 };                                  // bricks of the grid per active brick

// The slots of `control`.
enum { SLOT_BRICKS, SLOT_CELLS, SLOT_ARGUMENTS, SLOT_LANES, SLOT_FOURS, SLOT_SHARED, SLOTS };

bool cell_stream_create(
    struct gpu *gpu, uint32_t most, struct cell_stream *out, struct problem *problem)
{
    *out = (struct cell_stream){ .gpu = gpu, .most = most };
    const uint64_t bricks = most / BRICK_ROWS;
    const uint32_t constants[CONSTANTS] = {
        [CONSTANT_DIM_X] = ACROSS * BRICK_X,
        [CONSTANT_DIM_Y] = DOWN * BRICK_Y,
        [CONSTANT_DIM_Z] = (uint32_t)(bricks * SPARSE / LAYER) * BRICK_Z,
        [CONSTANT_OWN_LAST] = (uint32_t)(bricks * SPARSE / LAYER) * BRICK_Z - 1,
        [CONSTANT_OWN_Y_LAST] = DOWN * BRICK_Y - 1,
    };
    const struct {
        struct buffer *buffer;
        struct buffer_params params;
    } needs[] = {
        { &out->bricks,
          { .name = "bricks to time", .size = bricks * 4, .texels = { VK_FORMAT_R32_UINT } } },
        { &out->row_masks,
          { .name = "rows to time",
            .size = bricks * HALO_ROWS * 8,
            .texels = { VK_FORMAT_R32G32_UINT } } },
        { &out->control,
          { .name = "counters to time", .size = SLOTS * BUFFER_SLOT, .slots = true } },
        { &out->list, { .name = "cells to time", .size = most * 32ull * 4 } },
        { &out->counter_readback,
          { .name = "counter of the cells",
            .size = sizeof(struct list_counter),
            .memory = BUFFER_READBACK } },
    };
    bool fine =
        stopwatch_create(gpu, &out->timer, problem) &&
        compaction_create(
            gpu, &(struct compaction_params){ .constants = constants }, &out->compaction, problem);
    for (size_t i = 0; fine && i < sizeof needs / sizeof *needs; i++) {
        fine = buffer_create(gpu, &needs[i].params, needs[i].buffer, problem);
    }
    if (!fine) {
        cell_stream_destroy(out);
        return false;
    }
    out->capacity = (uint32_t)(out->list.size / 4);
    return true;
}

void cell_stream_destroy(struct cell_stream *cells)
{
    struct gpu *gpu = cells->gpu;
    if (gpu) {
        compaction_destroy(&cells->compaction);
        stopwatch_destroy(gpu, &cells->timer);
        buffer_destroy(gpu, &cells->bricks);
        buffer_destroy(gpu, &cells->row_masks);
        buffer_destroy(gpu, &cells->control);
        buffer_destroy(gpu, &cells->list);
        buffer_destroy(gpu, &cells->counter_readback);
    }
    *cells = (struct cell_stream){ 0 };
}

uint32_t cell_stream_hash(uint32_t i)
{
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

// 32 bits, each set with the probability `chance`. The loop uses the binary digits of `chance`, the
// last one first.
static uint32_t cell_stream_random_bits(double chance, uint32_t seed)
{
    const uint32_t digits = (uint32_t)(chance * 65536);
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t random = cell_stream_hash(seed * 16 + i);
        bits = digits >> i & 1 ? bits | random : bits & random;
    }
    return bits;
}

bool cell_stream_fill(
    struct cell_stream *cells, uint32_t lanes, double density, bool in_runs,
    struct problem *problem)
{
    const uint32_t bricks = lanes / BRICK_ROWS, words = bricks * HALO_ROWS * 2;
    uint32_t *ids = malloc(bricks * sizeof *ids), *bits = malloc(words * sizeof *bits);
    if (!ids || !bits) {
        free(ids);
        free(bits);
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a stream to time");
    }
    // A cell is inactive if its 8 corners are equal; in runs, if the 4 rows around it are equal.
    const double chance = 1 - pow(1 - density, in_runs ? 0.25 : 0.125);
    for (uint32_t i = 0; i < bricks; i++) {
        ids[i] = i * SPARSE + cell_stream_hash(i) % SPARSE;
    }
    for (uint32_t i = 0; i < words; i += 2) {
        const uint32_t row = in_runs ? -(cell_stream_random_bits(chance, i) & 1)
                                     : cell_stream_random_bits(chance, i);
        bits[i] = row;
        bits[i + 1] = in_runs ? row & 1 : cell_stream_random_bits(chance, i + 1) & 1;
    }
    cells->lanes = lanes;
    const bool fine =
        transfer_upload(cells->gpu, &cells->bricks, 0, ids, bricks * sizeof *ids, problem) &&
        transfer_upload(cells->gpu, &cells->row_masks, 0, bits, words * sizeof *bits, problem);
    free(ids);
    free(bits);
    return fine;
}

bool cell_stream_run(
    struct cell_stream *cells, const struct method *method, uint32_t *kept, double *ms,
    struct problem *problem)
{
    // One column of as many slices as the stream's bricks need.
    const uint32_t slices = cells->lanes / BRICK_ROWS * SPARSE / LAYER * BRICK_Z;
    const struct compaction_size sizes[STREAMS] = {
        [STREAM_CELLS] = { .lanes = cells->lanes,
                           .texels = { ACROSS * BRICK_X, slices * DOWN * BRICK_Y } },
    };
    if (!compaction_prepare(&cells->compaction, method, sizes, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(cells->gpu, problem);
    if (!cmd) {
        return false;
    }
    const uint32_t bricks = cells->lanes / BRICK_ROWS;
    uint32_t slots[SLOTS][BUFFER_SLOT / sizeof(uint32_t)] = {
        [SLOT_BRICKS] = { bricks, bricks }, [SLOT_CELLS] = { 0, cells->capacity },
        [SLOT_LANES] = { 0, 0, 1 },         [SLOT_FOURS] = { 0, 0, 1 },
        [SLOT_SHARED] = { 0, 0, 1 },        [SLOT_ARGUMENTS] = { 0, 1, 1 },
    };
    run_fold(cells->lanes, GROUP, slots[SLOT_LANES]);
    run_fold(cells->lanes, GROUP * 4, slots[SLOT_FOURS]);
    run_fold(cells->lanes, cells->gpu->traits->shared_fours * 4, slots[SLOT_SHARED]);
    struct run run;
    run_begin(&run, cells->gpu, cmd, &cells->timer);
    run_update(&run, &cells->control, 0, slots, sizeof slots);
    run_stamp(&run, STAGE_COUNTERS);
    const struct binding table[BINDINGS] = {
        [BINDING_BRICKS] = { &cells->bricks },
        [BINDING_BRICKS_COUNTER] = { &cells->control, SLOT_BRICKS },
        [BINDING_ROW_MASKS] = { &cells->row_masks },
        [BINDING_LIST] = { &cells->list },
        [BINDING_COUNTER] = { &cells->control, SLOT_CELLS },
        [BINDING_CELLS_ARGUMENTS] = { &cells->control, SLOT_ARGUMENTS },
    };
    compaction_record(
        &cells->compaction, &run,
        &(struct compaction_run){
            .method = method,
            .stream = STREAM_CELLS,
            .table = table,
            .capacity = cells->capacity,
            .lane_arguments = &cells->control,
            .lane_arguments_offset = SLOT_LANES * BUFFER_SLOT,
            .shared_arguments_offset = SLOT_SHARED * BUFFER_SLOT,
            .four_arguments_offset = SLOT_FOURS * BUFFER_SLOT,
        });
    run_stamp(&run, STAGE_COMPACTION);
    run_copy(
        &run, &cells->control, SLOT_CELLS * BUFFER_SLOT, &cells->counter_readback, 0,
        sizeof(struct list_counter));
    run_use(&run, &cells->counter_readback, ACCESS_HOST);
    if (!gpu_submit_and_wait(cells->gpu, cmd, problem)) {
        return false;
    }
    *kept = ((const struct list_counter *)cells->counter_readback.mapped)->count;
    *ms = stopwatch_read_kind(cells->gpu, &cells->timer, STAGE_COMPACTION);
    return true;
}
