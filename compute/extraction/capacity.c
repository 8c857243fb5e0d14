// The sizes of an extraction's buffers. They can be computed without device memory, so that a
// volume can be divided into parts before an extraction is created.

#include "compute/extraction/internal.h"

#include "compute/reference/tables.h"

#include <string.h>

// The most elements of each list that an atlas's own slices, rows and cells can have. Edges that
// leave the last own slice or row count if the volume continues there.
static uint64_t capacity_most(const struct atlas *atlas, uint32_t list)
{
    const uint64_t x = atlas->dim[0];
    const uint64_t rows = atlas->own_y_last - atlas->own_y_first, y = rows + 1;
    const uint64_t layers = atlas->own_last - atlas->own_first, slices = layers + 1;
    const uint64_t along_y = atlas->own_y_last + 1 < atlas->dim[1] ? y : rows;
    const uint64_t upright = atlas->own_last + 1 < atlas->dim[2] ? slices : layers;
    const uint64_t cells = (x - 1) * rows * layers;
    switch (list) {
    case LIST_BRICKS:
        return atlas->brick_count;
    case LIST_CELLS:
        return cells;
    case LIST_VERTICES:
        return ((x - 1) * y + x * along_y) * slices + x * y * upright;
    default:
        return cells * CASE_MAX_TRIANGLES;
    }
}

uint64_t extraction_bounded(const struct atlas *atlas, uint32_t list, uint64_t wanted)
{
    const uint64_t limit = capacity_most(atlas, list);
    return wanted < limit ? wanted : limit;
}

// The most elements of a list that the device's limits allow in its buffers.
static uint64_t room_takes(const struct gpu *gpu, uint32_t list)
{
    uint64_t one[LISTS] = { 0 }, most = UINT64_MAX;
    struct buffer_params params[GROWN_BUFFERS];
    one[list] = 1;
    extraction_grown(one, params);
    for (int i = 0; i < GROWN_DRAW; i++) {
        const uint64_t size = params[i].size;
        const uint64_t takes = size ? buffer_most(gpu, &params[i]) / size : UINT64_MAX;
        most = takes < most ? takes : most;
    }
    return most;
}

// The spare capacity ends at the limits of the device. The needed capacity does not: if it exceeds
// a limit, creating the buffer fails, and the problem names the limit.
uint64_t extraction_spare(
    const struct gpu *gpu, const struct atlas *atlas, uint32_t list, uint64_t needed,
    uint64_t wanted)
{
    const uint64_t takes = room_takes(gpu, list);
    wanted = wanted < takes ? wanted : takes;
    return extraction_bounded(atlas, list, wanted > needed ? wanted : needed);
}

// An ordinary surface: it crosses every layer of bricks about once.
void extraction_guess(const struct gpu *gpu, const struct atlas *atlas, uint64_t capacity[LISTS])
{
    const uint64_t bricks = atlas->brick_count / 3 + 64;
    const uint64_t wanted[LISTS] = {
        [LIST_BRICKS] = bricks,
        [LIST_CELLS] = bricks * 48,
        [LIST_VERTICES] = bricks * 52,
        [LIST_TRIANGLES] = bricks * 104,
    };
    for (uint32_t i = 0; i < LISTS; i++) {
        capacity[i] = extraction_spare(gpu, atlas, i, 0, wanted[i]);
    }
}

void extraction_most(const struct atlas *atlas, uint64_t capacity[LISTS])
{
    for (uint32_t i = 0; i < LISTS; i++) {
        capacity[i] = capacity_most(atlas, i);
    }
}

void extraction_fixed(const struct atlas *atlas, struct buffer_params out[FIXED_BUFFERS])
{
    const uint64_t bricks = atlas->brick_count;
    const struct buffer_params all[FIXED_BUFFERS] = {
        [FIXED_CASES] = { .name = "cases", .size = CASES * 8, .texels = { VK_FORMAT_R32G32_UINT } },
        [FIXED_CONTROL] = { .name = "list counters and dispatch arguments",
                            .size = CONTROLS * BUFFER_SLOT,
                            .slots = true },
        [FIXED_BRICKS] = { .name = "active bricks",
                           .size = bricks * 4,
                           .purpose = PURPOSE_LISTS,
                           .texels = { VK_FORMAT_R32_UINT } },
        [FIXED_SLOTS] = { .name = "brick slots",
                          .size = bricks * 4,
                          .purpose = PURPOSE_LISTS,
                          .texels = { VK_FORMAT_R32_UINT } },
        [FIXED_ROW_PREFIXES] = { .name = "row prefixes",
                                 .size = bricks * BRICK_ROWS * 16,
                                 .texels = { VK_FORMAT_R32G32B32A32_UINT } },
        [FIXED_COUNTS] = { .name = "counts",
                           .size = LISTS * BUFFER_SLOT,
                           .memory = BUFFER_READBACK,
                           .slots = true },
    };
    memcpy(out, all, sizeof all);
}

void extraction_grown(const uint64_t capacity[LISTS], struct buffer_params out[GROWN_BUFFERS])
{
    const struct buffer_params all[GROWN_BUFFERS] = {
        [GROWN_ROW_MASKS] = { .name = "row masks of the active bricks",
                              .size = capacity[LIST_BRICKS] * ROW_MASKS_BYTES,
                              .texels = { VK_FORMAT_R32G32_UINT } },
        [GROWN_CELLS] = { .name = "active cells",
                          .size = capacity[LIST_CELLS] * 4,
                          .purpose = PURPOSE_LISTS,
                          .texels = { VK_FORMAT_R32_UINT } },
        [GROWN_VERTICES] = { .name = "vertices",
                             .size = capacity[LIST_VERTICES] * VERTEX_BYTES,
                             .vertex = VERTEX_BYTES,
                             .purpose = PURPOSE_SURFACE },
        [GROWN_EDGES] = { .name = "vertex edges",
                          .size = capacity[LIST_VERTICES] * 4,
                          .purpose = PURPOSE_SURFACE,
                          .texels = { VK_FORMAT_R32_UINT } },
        [GROWN_INDICES] = { .name = "triangles",
                            .size = capacity[LIST_TRIANGLES] * 12,
                            .purpose = PURPOSE_SURFACE },
        [GROWN_DRAW] = { .name = "draw commands",
                         .size = 2 * sizeof(VkDrawIndexedIndirectCommand),
                         .purpose = PURPOSE_SURFACE },
    };
    memcpy(out, all, sizeof all);
}

void extraction_streams(
    const struct atlas *atlas, const uint64_t capacity[LISTS],
    struct compaction_size sizes[STREAMS])
{
    sizes[STREAM_BRICKS] = (struct compaction_size){
        .lanes = atlas->brick_count,
        .capacity = atlas->brick_count,
    };
    const uint32_t *dim = atlas->dim, cols = atlas_cols(dim[0], dim[1], dim[2]);
    sizes[STREAM_CELLS] = (struct compaction_size){
        .lanes = (uint32_t)(capacity[LIST_BRICKS] * BRICK_ROWS),
        .capacity = (uint32_t)capacity[LIST_CELLS],
        .texels = { cols * dim[0], (dim[2] + cols - 1) / cols * dim[1] },
    };
}

uint64_t extraction_bytes(
    const struct gpu *gpu, const struct atlas *described, const struct method *method,
    const uint64_t capacity[LISTS])
{
    struct compaction_size sizes[STREAMS] = { 0 };
    extraction_streams(described, capacity, sizes);
    struct buffer_params fixed[FIXED_BUFFERS], grown[GROWN_BUFFERS];
    extraction_fixed(described, fixed);
    extraction_grown(capacity, grown);
    return compaction_bytes(gpu, method, sizes) + buffers_bytes(gpu, fixed, FIXED_BUFFERS) +
           buffers_bytes(gpu, grown, GROWN_BUFFERS);
}

uint64_t extraction_longest(const struct atlas *described, const struct method *method)
{
    return method->removes ? capacity_most(described, LIST_CELLS)
                           : (uint64_t)described->brick_count * BRICK_ROWS;
}

void extraction_want(struct extraction *extraction, const uint64_t capacity[LISTS])
{
    for (uint32_t i = 0; i < LISTS; i++) {
        extraction->wanted[i] = extraction_bounded(extraction->atlas, i, capacity[i]);
    }
}
