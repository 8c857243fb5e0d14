// Reads meshes and cells back to the host, and converts the device's numbering to the grid's.

#include "compute/extraction/internal.h"
#include "compute/gpu/transfer.h"
#include "compute/reference/reference.h"

#include <stdlib.h>
#include <string.h>

// A row of a brick, in the whole volume.
struct readback_row {
    uint64_t x, y, z; // position of its first sample
};

static struct readback_row readback_row_of(const struct atlas *atlas, uint32_t row)
{
    const uint32_t brick = ROW_BRICK(row);
    const uint64_t bx = brick % atlas->bricks[0];
    const uint64_t by = brick / atlas->bricks[0] % atlas->bricks[1];
    const uint64_t bz = brick / atlas->bricks[0] / atlas->bricks[1];
    return (struct readback_row){
        .x = bx * BRICK_X,
        .y = atlas->base_y + by * BRICK_Y + ROW_Y(row),
        .z = atlas->base_z + bz * BRICK_Z + ROW_Z(row),
    };
}

// The linear index, in the whole volume, of a sample of a brick.
static uint64_t readback_sample_index(const struct atlas *atlas, uint32_t row, uint32_t x)
{
    const struct readback_row at = readback_row_of(atlas, row);
    return (at.z * atlas->whole[1] + at.y) * atlas->whole[0] + at.x + x;
}

// Separates positions and normals.
static void
readback_split_vertices(void *user, uint64_t first, uint64_t count, const void *elements)
{
    struct mesh *mesh = user;
    const char *from = elements;
    for (uint64_t i = first; i < first + count; i++, from += VERTEX_BYTES) {
        memcpy(mesh->positions[i], from, sizeof *mesh->positions);
        memcpy(mesh->normals[i], from + sizeof *mesh->positions, sizeof *mesh->normals);
    }
}

bool extraction_fetch(
    struct extraction *extraction, const struct surface *surface,
    const struct extraction_result *result, struct mesh *out, struct problem *problem)
{
    struct gpu *gpu = extraction->gpu;
    if (!mesh_create(result->vertices, result->triangles, out, problem)) {
        return false;
    }
    const uint64_t vertices = result->vertices;
    // The 32-bit ids are read into the upper half of the array of their 64-bit form, and are
    // widened in place.
    uint32_t *ids = (uint32_t *)out->edges + vertices;
    const struct transfer_list lists[] = {
        { &surface->vertices, 0, vertices, VERTEX_BYTES, readback_split_vertices, out },
        { &surface->edges, 0, vertices, 4, NULL, ids },
        { &surface->indices, 0, result->triangles, 12, NULL, out->triangles },
    };
    if (!transfer_read(gpu, lists, sizeof lists / sizeof *lists, problem)) {
        mesh_destroy(out);
        return false;
    }
    for (uint64_t i = 0; i < vertices; i++) {
        uint32_t id;
        memcpy(&id, &ids[i], sizeof id);
        out->edges[i] =
            3 * readback_sample_index(extraction->atlas, EDGE_ROW(id), ID_X(id)) + EDGE_AXIS(id);
    }
    return true;
}

struct readback_count {
    const struct atlas *atlas;
    uint64_t end_y, end_z;
    uint64_t count;
};

static void readback_count_edges(void *user, uint64_t first, uint64_t count, const void *elements)
{
    struct readback_count *counting = user;
    const struct atlas *atlas = counting->atlas;
    const char *from = elements;
    (void)first;
    for (uint64_t i = 0; i < count; i++, from += 4) {
        uint32_t id;
        memcpy(&id, from, sizeof id);
        const struct readback_row row = readback_row_of(atlas, EDGE_ROW(id));
        counting->count += row.y < counting->end_y && row.z < counting->end_z;
    }
}

bool extraction_count(
    struct extraction *extraction, const struct surface *surface,
    const struct extraction_result *result, uint64_t end_y, uint64_t end_z, uint64_t *count,
    struct problem *problem)
{
    struct readback_count counting = { extraction->atlas, end_y, end_z, 0 };
    const struct transfer_list edges = { &surface->edges,      0,        result->vertices, 4,
                                         readback_count_edges, &counting };
    const bool fine = transfer_read(extraction->gpu, &edges, 1, problem);
    *count = counting.count;
    return fine;
}

static bool readback_go_on(void *user, double share)
{
    (void)user;
    (void)share;
    return !interrupted;
}

bool extraction_download(
    struct extraction *extraction, const struct surface *surface,
    const struct extraction_result *result, struct mesh *out, struct problem *problem)
{
    if (!extraction_fetch(extraction, surface, result, out, problem)) {
        return false;
    }
    if (!mesh_canonicalize_while(out, &(struct progress){ .report = readback_go_on }, problem)) {
        mesh_destroy(out);
        return false;
    }
    return true;
}

bool extraction_cells(
    struct extraction *extraction, const struct extraction_result *result, struct cell_list *out,
    struct problem *problem)
{
    const struct atlas *atlas = extraction->atlas;
    const uint32_t *dim = atlas->whole;
    const uint64_t count = result->active_cells;
    *out = (struct cell_list){ .count = count };
    out->cells = malloc((count ? count : 1) * sizeof *out->cells);
    if (!out->cells) {
        *out = (struct cell_list){ 0 };
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading the active cells");
    }
    uint32_t *ids = (uint32_t *)out->cells + count;
    if (count > 0 &&
        !transfer_download(extraction->gpu, &extraction->cells, 0, ids, count * 4, problem)) {
        cell_list_destroy(out);
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint32_t id;
        memcpy(&id, &ids[i], sizeof id);
        const uint64_t sample = readback_sample_index(atlas, CELL_ROW(id), ID_X(id));
        const uint64_t x = sample % dim[0], row = sample / dim[0];
        const uint64_t y = row % dim[1], z = row / dim[1];
        out->cells[i] = (z * (dim[1] - 1) + y) * (dim[0] - 1) + x;
    }
    return true;
}

uint64_t extraction_bytes_moved(const struct extraction_result *result, uint32_t sample_bytes)
{
    const uint64_t bricks = result->active_bricks, rows = bricks * BRICK_ROWS;
    // The ranges of all bricks, and the list of active bricks.
    const uint64_t ranges = 8 * result->bricks + 4 * bricks;
    // Per halo row: 33 samples, and two words of bits.
    const uint64_t classify = bricks * HALO_ROWS * (33 * (uint64_t)sample_bytes + 8);
    // Per four rows: nine row masks and four row prefixes. Per vertex: its edge.
    const uint64_t edges = rows / 4 * (9 * 8 + 4 * 16) + 4 * result->vertices;
    const uint64_t cells = rows * 4 * 8 + 4 * result->active_cells;
    // Per vertex: both ends of its edge and their neighbours along the axes; position and normal.
    const uint64_t vertices = result->vertices * (12 * (uint64_t)sample_bytes + VERTEX_BYTES);
    // Per cell: id, slot, four row masks, case, four row prefixes (three more at the end of a
    // brick). Per triangle: three words.
    const uint64_t triangles =
        result->active_cells * (4 + 4 + 4 * 8 + 8 + 4 * 16) + 12 * result->triangles;
    return ranges + classify + edges + cells + vertices + triangles;
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
