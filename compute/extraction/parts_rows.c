#include "compute/extraction/parts_rows.h"

#include "volumes/base/interrupt.h"

#include <stdlib.h>

// Number of vertices of a canonical mesh whose edges start before row y of slice z.
static uint64_t parts_rows_vertices_before(
    const struct mesh *mesh, const struct volume *volume, uint64_t z, uint64_t y)
{
    return mesh_vertices_below(mesh, 3 * (z * volume->dim[1] + y) * volume->dim[0]);
}

static bool parts_rows_no_memory(struct problem *problem)
{
    return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory joining a layer of cells");
}

static bool parts_rows_triangles_room(struct parts_rows *rows, uint64_t count)
{
    if (count > rows->triangle_room) {
        const uint64_t more = count + count / 2;
        uint64_t(*triangles)[3] = realloc(rows->triangles, more * sizeof *triangles);
        if (!triangles) {
            return false;
        }
        rows->triangles = triangles;
        rows->triangle_room = more;
    }
    return true;
}

bool parts_rows_add(
    struct parts_rows *rows, const struct volume *volume, const struct atlas_part *cells,
    const struct mesh *piece, struct problem *problem)
{
    const uint64_t z = cells->first, end = cells->first_row + (uint64_t)cells->rows;
    const bool last = end == volume->dim[1] - 1;
    const uint64_t own_end = last ? volume->dim[1] : end;
    const uint64_t below = parts_rows_vertices_before(piece, volume, z + 1, 0);
    const uint64_t own[2] = {
        parts_rows_vertices_before(piece, volume, z, own_end),
        parts_rows_vertices_before(piece, volume, z + 1, own_end) - below,
    };
    const uint64_t first[2] = { rows->slices[0].vertex_count, rows->slices[1].vertex_count };
    if (!parts_rows_triangles_room(rows, rows->triangle_count + piece->triangle_count) ||
        !mesh_append_vertices(&rows->slices[0], &rows->rooms[0], piece, 0, own[0]) ||
        !mesh_append_vertices(&rows->slices[1], &rows->rooms[1], piece, below, own[1])) {
        return parts_rows_no_memory(problem);
    }
    for (uint64_t i = 0; i < piece->triangle_count; i++) {
        uint64_t *to = rows->triangles[rows->triangle_count + i];
        for (int k = 0; k < 3; k++) {
            const uint64_t corner = piece->triangles[i][k];
            to[k] =
                corner < below ? first[0] + corner : (first[1] + corner - below) | PARTS_ROWS_UPPER;
        }
    }
    rows->triangle_count += piece->triangle_count;
    return true;
}

static bool parts_rows_goes_on(void *user, double share)
{
    (void)user;
    (void)share;
    return !interrupted;
}

bool parts_rows_end(struct parts_rows *rows, struct mesh *out, struct problem *problem)
{
    struct mesh *lower = &rows->slices[0], *upper = &rows->slices[1];
    const uint64_t below = lower->vertex_count, count = below + upper->vertex_count;
    const struct progress progress = { .report = parts_rows_goes_on };
    *out = (struct mesh){ 0 };
    bool fine =
        count <= UINT32_MAX ||
        problem_set(
            problem, PROBLEM_LIMIT,
            "a single layer of cells has more than 2^32 vertices: sample the volume coarser");
    // The vertices of the upper slice follow those of the lower one, whose arrays become the
    // mesh's.
    if (fine) {
        lower->triangles = malloc((rows->triangle_count + 1) * sizeof *lower->triangles);
        fine = (lower->triangles &&
                mesh_append_vertices(lower, &rows->rooms[0], upper, 0, upper->vertex_count)) ||
               parts_rows_no_memory(problem);
    }
    mesh_destroy(upper);
    for (uint64_t i = 0; fine && i < rows->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            const uint64_t corner = rows->triangles[i][k];
            lower->triangles[i][k] =
                (uint32_t)(corner & PARTS_ROWS_UPPER ? below + (corner & ~PARTS_ROWS_UPPER) : corner);
        }
    }
    lower->triangle_count = fine ? rows->triangle_count : 0;
    fine = fine && mesh_canonicalize_while(lower, &progress, problem);
    if (fine) {
        *out = *lower;
        *lower = (struct mesh){ 0 };
    }
    parts_rows_destroy(rows);
    return fine;
}

void parts_rows_destroy(struct parts_rows *rows)
{
    mesh_destroy(&rows->slices[0]);
    mesh_destroy(&rows->slices[1]);
    free(rows->triangles);
    *rows = (struct parts_rows){ 0 };
}
