// Why slabs can be joined in order. Vertices are sorted by grid edge, z first: those of the slices
// below a slab's top come before all that later slabs add. A triangle comes by its smallest vertex,
// and no triangle has all three on one face of its cell (see the tables): the smallest one lies in
// the slice at the cell's foot. So triangles, too, come slab by slab.
//
// What must wait: a vertex on the upper border stands among the next slab's (edges upwards from the
// same slice come between), so that its number is known only then; and, to keep the order, every
// triangle behind the first that names one. All of them are of the slab's last layer of cells.
//
// A border vertex may be missing in the next slab, where no cell above it is active.
#include "compute/mesh_join.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK   2048
#define WAITING (UINT64_C(1) << 63) // of a corner: the rest numbers a border vertex

void mesh_join_destroy(struct mesh_join *join)
{
    mesh_destroy(&join->border);
    free(join->waiting);
    *join = (struct mesh_join){ 0 };
}

// Vertices on their way to the sink.
struct vertex_block {
    float positions[BLOCK][3], normals[BLOCK][3];
    size_t count;
};

static bool flush(struct mesh_join *join, struct vertex_block *block, struct problem *problem)
{
    const size_t count = block->count;
    block->count = 0;
    return count == 0 || join->sink.vertices(
                             join->sink.user, count, (const float(*)[3])block->positions,
                             (const float(*)[3])block->normals, problem);
}

static bool put_vertex(
    struct mesh_join *join, struct vertex_block *block, const struct mesh *from, uint64_t i,
    struct problem *problem)
{
    memcpy(block->positions[block->count], from->positions[i], sizeof *from->positions);
    memcpy(block->normals[block->count], from->normals[i], sizeof *from->normals);
    join->vertex_count++;
    return ++block->count < BLOCK || flush(join, block, problem);
}

// Hands out the border's vertices and the first `own` of the slab's, merged by edge, and says which
// numbers they got.
static bool put_vertices(
    struct mesh_join *join, const struct mesh *slab, uint64_t own, uint64_t *border_numbers,
    uint64_t *numbers, struct problem *problem)
{
    const struct mesh *border = &join->border;
    struct vertex_block block = { .count = 0 };
    uint64_t i = 0, b = 0;
    while (i < own || b < border->vertex_count) {
        const bool of_border =
            b < border->vertex_count && (i == own || border->edges[b] <= slab->edges[i]);
        const bool of_slab = i < own && (!of_border || border->edges[b] == slab->edges[i]);
        if (of_border) {
            border_numbers[b++] = join->vertex_count;
        }
        if (of_slab) {
            numbers[i++] = join->vertex_count;
        }
        const bool fine = of_slab ? put_vertex(join, &block, slab, i - 1, problem)
                                  : put_vertex(join, &block, border, b - 1, problem);
        if (!fine) {
            return false;
        }
    }
    return flush(join, &block, problem);
}

static bool hand_out(
    struct mesh_join *join, const uint64_t (*corners)[3], uint64_t count, struct problem *problem)
{
    join->triangle_count += count;
    return count == 0 || join->sink.triangles(join->sink.user, count, corners, problem);
}

static bool put_waiting(struct mesh_join *join, const uint64_t *numbers, struct problem *problem)
{
    for (uint64_t i = 0; i < join->waiting_count; i++) {
        for (int k = 0; k < 3; k++) {
            const uint64_t corner = join->waiting[i][k];
            join->waiting[i][k] = corner & WAITING ? numbers[corner & ~WAITING] : corner;
        }
    }
    const uint64_t count = join->waiting_count;
    join->waiting_count = 0;
    return hand_out(join, (const uint64_t(*)[3])join->waiting, count, problem);
}

// Triangles [0, count): all their corners have numbers.
static bool put_triangles(
    struct mesh_join *join, const struct mesh *slab, uint64_t count, const uint64_t *numbers,
    struct problem *problem)
{
    uint64_t block[BLOCK][3];
    for (uint64_t first = 0; first < count; first += BLOCK) {
        const uint64_t n = count - first < BLOCK ? count - first : BLOCK;
        for (uint64_t i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++) {
                block[i][k] = numbers[slab->triangles[first + i][k]];
            }
        }
        if (!hand_out(join, (const uint64_t(*)[3])block, n, problem)) {
            return false;
        }
    }
    return true;
}

// Keeps the slab's vertices from `own` on, and its triangles from `ready` on.
static bool keep_rest(
    struct mesh_join *join, const struct mesh *slab, uint64_t own, uint64_t ready,
    const uint64_t *numbers, struct problem *problem)
{
    const uint64_t vertices = slab->vertex_count - own, triangles = slab->triangle_count - ready;
    mesh_destroy(&join->border);
    free(join->waiting);
    join->waiting = malloc((triangles + 1) * sizeof *join->waiting);
    if (!join->waiting) {
        return problem_set(problem, PROBLEM_DEVICE, "out of memory joining meshes");
    }
    if (!mesh_create(vertices, 0, &join->border, problem)) {
        return false;
    }
    if (vertices > 0) {
        memcpy(join->border.positions, slab->positions + own, vertices * sizeof *slab->positions);
        memcpy(join->border.normals, slab->normals + own, vertices * sizeof *slab->normals);
        memcpy(join->border.edges, slab->edges + own, vertices * sizeof *slab->edges);
    }
    join->waiting_count = triangles;
    for (uint64_t i = 0; i < triangles; i++) {
        for (int k = 0; k < 3; k++) {
            const uint64_t corner = slab->triangles[ready + i][k];
            join->waiting[i][k] = corner < own ? numbers[corner] : (corner - own) | WAITING;
        }
    }
    return true;
}

// The first triangle that names one of the vertices from `own` on.
static uint64_t first_waiting(const struct mesh *slab, uint64_t own)
{
    for (uint64_t i = 0; i < slab->triangle_count; i++) {
        const uint32_t *corner = slab->triangles[i];
        if (corner[0] >= own || corner[1] >= own || corner[2] >= own) {
            return i;
        }
    }
    return slab->triangle_count;
}

bool mesh_join_slab(
    struct mesh_join *join, struct mesh *slab, uint32_t top, struct problem *problem)
{
    const uint64_t above = 3 * (uint64_t)join->dim[0] * join->dim[1] * top;
    const uint64_t waiting = join->border.vertex_count;
    assert(join->dim[0] > 0 && join->dim[1] > 0 && join->sink.vertices && join->sink.triangles);
    if (!mesh_canonicalize(slab, problem)) {
        return false;
    }
    if (waiting > 0 && slab->vertex_count > 0 &&
        slab->edges[0] / (3 * (uint64_t)join->dim[0] * join->dim[1]) <
            join->border.edges[0] / (3 * (uint64_t)join->dim[0] * join->dim[1])) {
        return problem_set(problem, PROBLEM_INTERNAL, "slabs are not joined from the bottom");
    }
    uint64_t own = slab->vertex_count;
    while (own > 0 && slab->edges[own - 1] >= above) {
        own--;
    }
    uint64_t *numbers = malloc((own + 1) * sizeof *numbers);
    uint64_t *border_numbers = malloc((waiting + 1) * sizeof *border_numbers);
    bool fine = numbers && border_numbers;
    if (!fine) {
        problem_set(problem, PROBLEM_DEVICE, "out of memory joining meshes");
    }
    const uint64_t ready = first_waiting(slab, own);
    fine = fine && put_vertices(join, slab, own, border_numbers, numbers, problem) &&
           put_waiting(join, border_numbers, problem) &&
           put_triangles(join, slab, ready, numbers, problem) &&
           keep_rest(join, slab, own, ready, numbers, problem);
    free(numbers);
    free(border_numbers);
    return fine;
}

bool mesh_join_end(struct mesh_join *join, struct problem *problem)
{
    struct mesh nothing = { 0 };
    return mesh_join_slab(join, &nothing, UINT32_MAX, problem);
}
