// Brings a mesh into canonical order.
//
// Vertices: a radix sort of a permutation by the edges' 64 bits, least digit first. Digits that are
// equal in all edges (most of the upper ones) are skipped. Triangles: the smallest corner is a
// vertex number, so a counting sort puts each triangle into its vertex's bucket. Then the few
// triangles of each bucket are sorted.
//
// Elements are moved by way of a second array. If memory is short, they are moved in place, which
// is slower: each move waits for the one before it. Vertices take 8 bytes per vertex, and 12 for
// the second array; triangles take 12 bytes per vertex, and 12 per triangle for the second array.

#include "compute/mesh/mesh.h"
#include "volumes/base/size.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS     (1 << DIGIT_BITS)
#define SHORT_LIST 24 // up to here insertion beats a call to qsort

// Returns false if the work shall stop. Called for every element, but reports progress only now and
// then.
static inline bool canonicalize_goes_on(const struct progress *progress, uint64_t at)
{
    return (at & 0x1ffff) != 0 || !progress || progress->report(progress->user, 0);
}

static bool canonicalize_interrupted(struct problem *problem)
{
    return problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
}

static bool canonicalize_is_sorted(const uint64_t *keys, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        if (keys[i - 1] > keys[i]) {
            return false;
        }
    }
    return true;
}

// Sorts the numbers in *order by their keys, stably. *spare has the same size; the two may be
// swapped.
static bool canonicalize_sort_by_key(
    const uint64_t *keys, uint64_t count, uint32_t **order, uint32_t **spare,
    const struct progress *progress)
{
    uint64_t differ = 0; // bits in which any two keys differ
    for (uint64_t i = 1; i < count; i++) {
        differ |= keys[i] ^ keys[0];
    }
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (!(differ >> shift & (DIGITS - 1))) {
            continue;
        }
        uint64_t at[DIGITS + 1] = { 0 };
        for (uint64_t i = 0; i < count; i++) {
            at[(keys[i] >> shift & (DIGITS - 1)) + 1]++;
        }
        for (int digit = 0; digit < DIGITS; digit++) {
            at[digit + 1] += at[digit];
        }
        for (uint64_t i = 0; i < count; i++) {
            const uint32_t vertex = (*order)[i];
            if (!canonicalize_goes_on(progress, i)) {
                return false;
            }
            (*spare)[at[keys[vertex] >> shift & (DIGITS - 1)]++] = vertex;
        }
        uint32_t *sorted = *spare;
        *spare = *order;
        *order = sorted;
    }
    return true;
}

// Memory for a faster reordering; without it the work is done in place. NULL if `bytes` is 0, if it
// is more than half of the free memory, or if malloc fails.
static void *canonicalize_spare(uint64_t bytes)
{
    return bytes > 0 && bytes <= size_memory_free() / 2 ? malloc(bytes) : NULL;
}

// Moves element order[i] of an array to index i, by way of `spare`, which has the same size.
static inline bool canonicalize_permute(
    void *array, size_t size, const uint32_t *order, uint64_t count, void *spare,
    const struct progress *progress)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!canonicalize_goes_on(progress, i)) {
            return false;
        }
        memcpy((char *)spare + i * size, (const char *)array + order[i] * size, size);
    }
    memcpy(array, spare, count * size);
    return true;
}

static void canonicalize_copy_vertex(
    struct mesh *to, uint64_t to_index, const struct mesh *from, uint64_t from_index)
{
    memcpy(to->positions[to_index], from->positions[from_index], sizeof *to->positions);
    memcpy(to->normals[to_index], from->normals[from_index], sizeof *to->normals);
    to->edges[to_index] = from->edges[from_index];
}

// Moves vertex order[i] to index i, along the permutation's cycles. Afterwards order[i] == i.
static bool
canonicalize_permute_in_place(struct mesh *mesh, uint32_t *order, const struct progress *progress)
{
    uint64_t moved = 0;
    float position[1][3], normal[1][3];
    uint64_t edge[1];
    struct mesh kept = { .positions = position, .normals = normal, .edges = edge };
    for (uint64_t start = 0; start < mesh->vertex_count; start++) {
        if (order[start] == start) {
            continue;
        }
        canonicalize_copy_vertex(&kept, 0, mesh, start);
        uint64_t to = start;
        while (order[to] != start) {
            const uint32_t from = order[to];
            canonicalize_copy_vertex(mesh, to, mesh, from);
            if (!canonicalize_goes_on(progress, ++moved)) {
                return false;
            }
            order[to] = (uint32_t)to;
            to = from;
        }
        canonicalize_copy_vertex(mesh, to, &kept, 0);
        order[to] = (uint32_t)to;
    }
    return true;
}

// Moves vertex order[i] to index i. May overwrite `order`.
static bool
canonicalize_move_vertices(struct mesh *mesh, uint32_t *order, const struct progress *progress)
{
    const uint64_t count = mesh->vertex_count;
    void *spare = canonicalize_spare(count * sizeof *mesh->positions);
    if (!spare) {
        return canonicalize_permute_in_place(mesh, order, progress);
    }
    const bool ok =
        canonicalize_permute(
            mesh->positions, sizeof *mesh->positions, order, count, spare, progress) &&
        canonicalize_permute(mesh->normals, sizeof *mesh->normals, order, count, spare, progress) &&
        canonicalize_permute(mesh->edges, sizeof *mesh->edges, order, count, spare, progress);
    free(spare);
    return ok;
}

static bool
canonicalize_vertices(struct mesh *mesh, const struct progress *progress, struct problem *problem)
{
    if (canonicalize_is_sorted(mesh->edges, mesh->vertex_count)) {
        return true;
    }
    const uint64_t count = mesh->vertex_count;
    uint32_t *order = calloc(count + 1, sizeof *order);
    uint32_t *rank = calloc(count + 1, sizeof *rank);
    bool ok = order && rank;
    if (ok) {
        for (uint64_t i = 0; i < count; i++) {
            order[i] = (uint32_t)i;
        }
        ok = canonicalize_sort_by_key(mesh->edges, count, &order, &rank, progress);
        for (uint64_t i = 0; ok && i < count; i++) {
            rank[order[i]] = (uint32_t)i;
        }
        ok = ok && canonicalize_move_vertices(mesh, order, progress);
        for (uint64_t i = 0; ok && i < mesh->triangle_count; i++) {
            ok = canonicalize_goes_on(progress, i);
            for (int k = 0; k < 3; k++) {
                mesh->triangles[i][k] = rank[mesh->triangles[i][k]];
            }
        }
        ok = ok || canonicalize_interrupted(problem);
    } else {
        problem_set(
            problem, PROBLEM_HOST_MEMORY,
            "out of memory: sorting %" PRIu64 " vertices needs %" PRIu64 " bytes", count,
            2 * count * sizeof *order);
    }
    free(order);
    free(rank);
    return ok;
}

// Rotates the triangle so that its smallest corner comes first; that keeps the orientation.
static void canonicalize_turn(uint32_t triangle[3])
{
    const uint32_t a = triangle[0], b = triangle[1], c = triangle[2];
    if (b < a && b <= c) {
        triangle[0] = b, triangle[1] = c, triangle[2] = a;
    } else if (c < a && c < b) {
        triangle[0] = c, triangle[1] = a, triangle[2] = b;
    }
}

static int canonicalize_compare(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    for (int k = 0; k < 3; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

static void canonicalize_swap(uint32_t a[3], uint32_t b[3])
{
    uint32_t kept[3];
    memcpy(kept, a, sizeof kept);
    memcpy(a, b, sizeof kept);
    memcpy(b, kept, sizeof kept);
}

static void canonicalize_sort_bucket(uint32_t (*triangles)[3], uint64_t count)
{
    if (count > SHORT_LIST) {
        qsort(triangles, count, sizeof *triangles, canonicalize_compare);
        return;
    }
    for (uint64_t i = 1; i < count; i++) {
        for (uint64_t k = i; k > 0; k--) {
            if (canonicalize_compare(triangles[k - 1], triangles[k]) <= 0) {
                break;
            }
            canonicalize_swap(triangles[k - 1], triangles[k]);
        }
    }
}

// Puts each triangle into the bucket of its first corner, by way of `spare`, which has the same
// size. start[v]: where the bucket of vertex v begins, and, after the last vertex, the end.
// placed[v]: number of triangles in the bucket so far, 0 at first.
static bool canonicalize_fill_buckets(
    struct mesh *mesh, const uint64_t *start, uint32_t *placed, uint32_t (*spare)[3],
    const struct progress *progress)
{
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t own = mesh->triangles[i][0];
        if (!canonicalize_goes_on(progress, i)) {
            return false;
        }
        memcpy(spare[start[own] + placed[own]++], mesh->triangles[i], sizeof *spare);
    }
    memcpy(mesh->triangles, spare, mesh->triangle_count * sizeof *spare);
    return true;
}

static bool canonicalize_fill_buckets_in_place(
    struct mesh *mesh, const uint64_t *start, uint32_t *placed, const struct progress *progress)
{
    uint64_t swapped = 0;
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        while (start[v] + placed[v] < start[v + 1]) {
            uint32_t *here = mesh->triangles[start[v] + placed[v]];
            const uint32_t own = here[0];
            if (!canonicalize_goes_on(progress, ++swapped)) {
                return false;
            }
            if (own == v) {
                placed[v]++;
            } else {
                canonicalize_swap(here, mesh->triangles[start[own] + placed[own]++]);
            }
        }
    }
    return true;
}

static bool
canonicalize_triangles(struct mesh *mesh, const struct progress *progress, struct problem *problem)
{
    const uint64_t count = mesh->vertex_count;
    uint64_t *start = calloc(count + 1, sizeof *start);   // first triangle of each vertex's bucket
    uint32_t *placed = calloc(count + 1, sizeof *placed); // how many of its triangles are in place
    bool ok = start && placed;
    if (ok) {
        for (uint64_t i = 0; ok && i < mesh->triangle_count; i++) {
            ok = canonicalize_goes_on(progress, i);
            canonicalize_turn(mesh->triangles[i]);
            start[mesh->triangles[i][0] + UINT64_C(1)]++;
        }
        for (uint64_t v = 0; v < count; v++) {
            start[v + 1] += start[v];
        }
        uint32_t(*spare)[3] = canonicalize_spare(mesh->triangle_count * sizeof *spare);
        ok = ok && (spare ? canonicalize_fill_buckets(mesh, start, placed, spare, progress)
                          : canonicalize_fill_buckets_in_place(mesh, start, placed, progress));
        free(spare);
        for (uint64_t v = 0; ok && v < count; v++) {
            canonicalize_sort_bucket(mesh->triangles + start[v], start[v + 1] - start[v]);
        }
        ok = ok || canonicalize_interrupted(problem);
    } else {
        problem_set(
            problem, PROBLEM_HOST_MEMORY,
            "out of memory: sorting the triangles of %" PRIu64 " vertices needs %" PRIu64 " bytes",
            count, count * (sizeof *start + sizeof *placed));
    }
    free(start);
    free(placed);
    return ok;
}

bool mesh_canonicalize_while(
    struct mesh *mesh, const struct progress *progress, struct problem *problem)
{
    return mesh_check_indices(mesh, problem) && canonicalize_vertices(mesh, progress, problem) &&
           canonicalize_triangles(mesh, progress, problem);
}

bool mesh_canonicalize(struct mesh *mesh, struct problem *problem)
{
    return mesh_canonicalize_while(mesh, NULL, problem);
}
