// Sums over triangles, and a count of the directed edges between each two vertices.
//
// Each side of a triangle runs from one vertex to another. Sides are put into buckets by their
// smaller vertex and direction (a counting sort: linear, 16 bytes per vertex and 12 per triangle),
// then the two short buckets of each vertex are sorted and laid side by side. The parts are found
// by union-find over the vertices, in the memory of the buckets.

#include "compute/mesh_sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_LIST 24 // up to here insertion beats a call to qsort

// The faces of the grid that a vertex lies on, a bit per face. A vertex along an axis is within
// the grid in that axis even where it falls onto the last sample.
static int border_faces(uint64_t edge, const uint32_t dim[3])
{
    const int axis = edge % 3;
    uint64_t rest = edge / 3;
    int faces = 0;
    for (int k = 0; k < 3; k++) {
        const uint64_t at = rest % dim[k];
        rest /= dim[k];
        if (k != axis) {
            faces |= (at == 0) << 2 * k | (at == dim[k] - 1u) << (2 * k + 1);
        }
    }
    return faces;
}

static int compare_numbers(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static void sort_numbers(uint32_t *numbers, uint64_t count)
{
    if (count > SHORT_LIST) {
        qsort(numbers, count, sizeof *numbers, compare_numbers);
        return;
    }
    for (uint64_t i = 1; i < count; i++) {
        const uint32_t number = numbers[i];
        uint64_t k = i;
        for (; k > 0 && numbers[k - 1] > number; k--) {
            numbers[k] = numbers[k - 1];
        }
        numbers[k] = number;
    }
}

// The bucket of the side from a to b: two per vertex, one for each direction.
static uint64_t bucket_of(uint32_t a, uint32_t b)
{
    return a < b ? 2 * (uint64_t)a : 2 * (uint64_t)b + 1;
}

// Sorts the larger ends of all sides into buckets; bucket i is at ends[i ? stops[i - 1] : 0] up to
// stops[i].
static void fill_buckets(const struct mesh *mesh, uint64_t *stops, uint32_t *ends)
{
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *triangle = mesh->triangles[i];
        for (int k = 0; k < 3; k++) {
            stops[bucket_of(triangle[k], triangle[(k + 1) % 3]) + 1]++;
        }
    }
    for (uint64_t i = 0; i < 2 * mesh->vertex_count; i++) {
        stops[i + 1] += stops[i];
    }
    // stops[i] is the start of bucket i now, and grows to its end while it is filled.
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *triangle = mesh->triangles[i];
        for (int k = 0; k < 3; k++) {
            const uint32_t a = triangle[k], b = triangle[(k + 1) % 3];
            ends[stops[bucket_of(a, b)]++] = a < b ? b : a;
        }
    }
}

// How many times `number` stands at list[*at]; steps over them.
static uint64_t take(const uint32_t *list, uint64_t count, uint64_t *at, uint32_t number)
{
    const uint64_t first = *at;
    while (*at < count && list[*at] == number) {
        (*at)++;
    }
    return *at - first;
}

// Returns how many edges there are.
static uint64_t judge_edges(
    const struct mesh *mesh, const uint32_t dim[3], const uint64_t *stops, uint32_t *ends,
    struct mesh_facts *out)
{
    uint64_t edges = 0;
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        const uint64_t start = v ? stops[2 * v - 1] : 0;
        uint32_t *up = ends + start, *down = ends + stops[2 * v];
        const uint64_t ups = stops[2 * v] - start, downs = stops[2 * v + 1] - stops[2 * v];
        sort_numbers(up, ups);
        sort_numbers(down, downs);
        for (uint64_t i = 0, k = 0; i < ups || k < downs;) {
            const uint32_t other = k == downs || (i < ups && up[i] < down[k]) ? up[i] : down[k];
            const uint64_t there = take(up, ups, &i, other);
            const uint64_t back = take(down, downs, &k, other);
            edges++;
            if (there > 1 || back > 1 || other == v) {
                out->bad_edges++;
            } else if (there + back == 1) {
                out->open_edges++;
                if (!(border_faces(mesh->edges[v], dim) & border_faces(mesh->edges[other], dim))) {
                    out->open_inside++;
                }
            }
        }
    }
    return edges;
}

// The vertex that stands for the part of `v`; the way there gets shorter with each walk.
static uint64_t part_of(uint64_t *parents, uint64_t v)
{
    while (parents[v] != v) {
        parents[v] = parents[parents[v]];
        v = parents[v];
    }
    return v;
}

// Counts the vertices that some triangle names, and the parts. `parents`: one per vertex.
static uint64_t count_parts(const struct mesh *mesh, uint64_t *parents, struct mesh_facts *out)
{
    const uint64_t unused = UINT64_MAX;
    uint64_t used = 0;
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        parents[v] = unused;
    }
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        uint64_t root = 0;
        for (int k = 0; k < 3; k++) {
            const uint64_t v = mesh->triangles[i][k];
            if (parents[v] == unused) {
                parents[v] = v;
                used++;
                out->parts++;
            }
            const uint64_t other = part_of(parents, v);
            if (k > 0 && other != root) {
                parents[other > root ? other : root] = other > root ? root : other;
                out->parts--;
            }
            root = k > 0 && root < other ? root : other;
        }
    }
    return used;
}

bool mesh_facts(
    const struct mesh *mesh, const uint32_t dim[3], struct mesh_facts *out, struct problem *problem)
{
    *out = (struct mesh_facts){ 0 };
    if (!mesh_check_indices(mesh, problem)) {
        return false;
    }
    struct mesh_sums sums = { 0 };
    mesh_sums_bounds(&sums, mesh);
    for (int k = 0; k < 3; k++) {
        sums.centre[k] = (sums.bounds[0][k] + sums.bounds[1][k]) / 2;
    }
    mesh_sums_size(&sums, mesh);
    memcpy(out->bounds, sums.bounds, sizeof out->bounds);
    out->area = sums.area;
    out->volume = sums.volume;

    uint64_t *stops = calloc(2 * mesh->vertex_count + 1, sizeof *stops);
    uint32_t *ends = calloc(3 * mesh->triangle_count + 1, sizeof *ends);
    const bool ok = stops && ends;
    if (ok) {
        fill_buckets(mesh, stops, ends);
        const uint64_t edges = judge_edges(mesh, dim, stops, ends, out);
        const uint64_t vertices = count_parts(mesh, stops, out);
        out->euler = (int64_t)(vertices - edges + mesh->triangle_count);
        out->watertight = out->open_inside == 0 && out->bad_edges == 0;
        out->closed = out->open_edges == 0 && out->bad_edges == 0;
    } else {
        problem_set(
            problem, PROBLEM_DEVICE,
            "out of memory: checking %" PRIu64 " triangles needs %" PRIu64 " bytes",
            mesh->triangle_count, 16 * mesh->vertex_count + 12 * mesh->triangle_count);
    }
    free(stops);
    free(ends);
    return ok;
}
