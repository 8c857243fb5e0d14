// The sizes of an extraction's buffers. They can be computed without device memory, so that a
// volume can be divided into parts before an extraction is created.

#include "compute/extraction/internal.h"

#include "compute/reference/tables.h"

#include <math.h>

// The most elements of each list that an atlas's own slices, rows and cells can have. Edges that
// start in the last own slice or row and leave it exist if the volume continues there.
static uint64_t room_most(const struct atlas *atlas, uint32_t list)
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
    const uint64_t limit = room_most(atlas, list);
    return wanted < limit ? wanted : limit;
}

// An ordinary surface: it crosses every layer of bricks about once.
void extraction_guess(const struct atlas *atlas, uint64_t room[LISTS])
{
    const uint64_t bricks = atlas->brick_count / 3 + 64;
    const uint64_t wanted[LISTS] = {
        [LIST_BRICKS] = bricks,
        [LIST_CELLS] = bricks * 48,
        [LIST_VERTICES] = bricks * 52,
        [LIST_TRIANGLES] = bricks * 104,
    };
    for (uint32_t i = 0; i < LISTS; i++) {
        room[i] = extraction_bounded(atlas, i, wanted[i]);
    }
}

void extraction_most(const struct atlas *atlas, uint64_t room[LISTS])
{
    for (uint32_t i = 0; i < LISTS; i++) {
        room[i] = room_most(atlas, i);
    }
}

struct buffer_params extraction_fixed(const struct atlas *atlas, enum fixed_buffer which)
{
    const uint64_t bricks = atlas->brick_count;
    switch (which) {
    case FIXED_CASES:
        return (struct buffer_params){ "cases", CASES * 8, BUFFER_DEVICE };
    case FIXED_COUNTERS:
        return (struct buffer_params){ "list counters", LISTS * sizeof(struct list_counter),
                                       BUFFER_DEVICE };
    case FIXED_ARGUMENTS:
        return (struct buffer_params){ "dispatch arguments", ARGUMENTS * 16, BUFFER_DEVICE };
    case FIXED_BRICKS:
        return (struct buffer_params){ "active bricks", bricks * 4, BUFFER_DEVICE, PURPOSE_LISTS };
    case FIXED_SLOTS:
        return (struct buffer_params){ "brick slots", bricks * 4, BUFFER_DEVICE, PURPOSE_LISTS };
    case FIXED_ROW_PREFIXES:
        return (struct buffer_params){ "row prefixes", bricks * BRICK_ROWS * 16, BUFFER_DEVICE };
    default:
        return (struct buffer_params){ "counts", sizeof(struct step_counts), BUFFER_READBACK };
    }
}

struct buffer_params extraction_grown(const uint64_t room[LISTS], enum grown_buffer which)
{
    switch (which) {
    case GROWN_ROW_MASKS:
        return (struct buffer_params){ "row masks of the active bricks",
                                       room[LIST_BRICKS] * ROW_MASKS_BYTES, BUFFER_DEVICE };
    case GROWN_CELLS:
        return (struct buffer_params){ "active cells", room[LIST_CELLS] * 4, BUFFER_DEVICE,
                                       PURPOSE_LISTS };
    case GROWN_VERTICES:
        return (struct buffer_params){ "vertices", room[LIST_VERTICES] * VERTEX_BYTES,
                                       BUFFER_DEVICE, PURPOSE_SURFACE };
    case GROWN_EDGES:
        return (struct buffer_params){ "vertex edges", room[LIST_VERTICES] * 4, BUFFER_DEVICE,
                                       PURPOSE_SURFACE };
    case GROWN_INDICES:
        return (struct buffer_params){ "triangles", room[LIST_TRIANGLES] * 12, BUFFER_DEVICE,
                                       PURPOSE_SURFACE };
    default:
        return (struct buffer_params){ "draw commands", 2 * sizeof(VkDrawIndexedIndirectCommand),
                                       BUFFER_DEVICE, PURPOSE_SURFACE };
    }
}

VkFormat extraction_fixed_format(enum fixed_buffer which)
{
    switch (which) {
    case FIXED_BRICKS:
    case FIXED_SLOTS:
        return VK_FORMAT_R32_UINT;
    case FIXED_CASES:
        return VK_FORMAT_R32G32_UINT;
    case FIXED_COUNTERS:
    case FIXED_ROW_PREFIXES:
        return VK_FORMAT_R32G32B32A32_UINT;
    default:
        return VK_FORMAT_UNDEFINED;
    }
}

VkFormat extraction_grown_format(enum grown_buffer which)
{
    switch (which) {
    case GROWN_CELLS:
    case GROWN_EDGES:
        return VK_FORMAT_R32_UINT;
    case GROWN_ROW_MASKS:
        return VK_FORMAT_R32G32_UINT;
    default:
        return VK_FORMAT_UNDEFINED;
    }
}

// If a texel buffer cannot cover it, it is too much.
static uint64_t room_texel_buffer_bytes(const struct gpu *gpu, uint64_t size, VkFormat format)
{
    return descriptors_hold(gpu, "", size, format, NULL) ? buffer_bytes(gpu, size) : GPU_TOO_MUCH;
}

void extraction_streams(
    const struct atlas *atlas, const uint64_t room[LISTS], struct compaction_size sizes[STREAMS])
{
    sizes[STREAM_BRICKS] = (struct compaction_size){
        .lanes = atlas->brick_count,
        .room = atlas->brick_count,
    };
    sizes[STREAM_CELLS] = (struct compaction_size){
        .lanes = (uint32_t)(room[LIST_BRICKS] * BRICK_ROWS),
        .room = (uint32_t)room[LIST_CELLS],
    };
}

uint64_t extraction_bytes(
    const struct gpu *gpu, const struct atlas *described, const struct method *method,
    const uint64_t room[LISTS])
{
    struct compaction_size sizes[STREAMS] = { 0 };
    extraction_streams(described, room, sizes);
    uint64_t bytes = compaction_bytes(gpu, method, sizes);
    for (int i = 0; i < FIXED_BUFFERS; i++) {
        bytes += room_texel_buffer_bytes(
            gpu, extraction_fixed(described, i).size, extraction_fixed_format(i));
    }
    for (int i = 0; i < GROWN_BUFFERS; i++) {
        bytes += room_texel_buffer_bytes(
            gpu, extraction_grown(room, i).size, extraction_grown_format(i));
    }
    return bytes;
}

uint64_t extraction_longest(const struct atlas *described, const struct method *method)
{
    return method->removes ? room_most(described, LIST_CELLS)
                           : (uint64_t)described->brick_count * BRICK_ROWS;
}

void extraction_wanted(const struct extraction *extraction, uint64_t room[LISTS])
{
    for (uint32_t i = 0; i < LISTS; i++) {
        room[i] = extraction->wanted[i];
    }
}

void extraction_want(struct extraction *extraction, const uint64_t room[LISTS])
{
    for (uint32_t i = 0; i < LISTS; i++) {
        extraction->wanted[i] = extraction_bounded(extraction->atlas, i, room[i]);
    }
}
