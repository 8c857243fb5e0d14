// Facts of a surface that comes in parts, from the bottom up: sums over triangles, a count of the
// directed edges between each pair of vertices, and connected parts.
//
// Each side of a triangle runs from one vertex to another. Sides are put into buckets by their
// smaller vertex and direction, with a counting sort: linear time, 16 bytes per vertex and 12 per
// triangle. Then the two short buckets of each vertex are sorted and merged. Connected parts are
// found by union-find over the vertices, in the memory of the buckets.
//
// A part shares its last vertices with the next part, where they are the first ones. The next part
// may have sides between two of them, so such sides are carried over. The labels of connected
// vertices are carried over, too, and nothing else.

#include "compute/mesh/mesh_facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_LIST 24 // up to here insertion beats a call to qsort
#define UNUSED     UINT64_MAX

static void facts_cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        const int u = (i + 1) % 3, v = (i + 2) % 3;
        out[i] = a[u] * b[v] - a[v] * b[u];
    }
}

static void facts_add_bounds(struct mesh_tally *tally, const struct mesh *part)
{
    double(*bounds)[3] = tally->facts.bounds;
    for (uint64_t i = 0; i < part->vertex_count; i++) {
        double position[3];
        mesh_place_position(&tally->place, part->positions[i], position);
        for (int k = 0; k < 3; k++) {
            bounds[0][k] = tally->any ? fmin(bounds[0][k], position[k]) : position[k];
            bounds[1][k] = tally->any ? fmax(bounds[1][k], position[k]) : position[k];
            tally->centre[k] = tally->any ? tally->centre[k] : (double)part->positions[i][k];
        }
        tally->any = true;
    }
}

static void facts_end_layer(struct mesh_tally *tally)
{
    const double stretch = tally->place.known ? fabs(tally->place.determinant) : 1;
    tally->facts.area += tally->twice_area / 2;
    tally->facts.volume += tally->six_volumes / 6 * stretch;
    tally->twice_area = tally->six_volumes = 0;
}

// The volume is the sum of the tetrahedra from the surface's first vertex to each triangle. From a
// distant origin they would be large and nearly cancel. Sums are computed for each layer of cells,
// and then over the layers. So the digits do not depend on how layers are divided into parts.
//
// Triangles are measured in grid units, so the digits do not depend on the origin. Volumes are then
// multiplied by the place's determinant. A normal that is as long as twice its triangle's area is
// multiplied by the place's matrix of normals: it is that long again, in the place's units.
static void facts_add_sizes(struct mesh_tally *tally, const struct mesh *part)
{
    const uint64_t slice_edges = 3 * (uint64_t)tally->dim[0] * tally->dim[1];
    for (uint64_t i = 0; i < part->triangle_count; i++) {
        const uint32_t *corners = part->triangles[i];
        const uint64_t layer = part->edges[corners[0]] / slice_edges;
        if (layer != tally->layer) {
            facts_end_layer(tally);
            tally->layer = layer;
        }
        double p[3][3], side[2][3], normal[3], placed[3];
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) {
                p[c][k] = part->positions[corners[c]][k] - tally->centre[k];
            }
        }
        for (int k = 0; k < 3; k++) {
            side[0][k] = p[1][k] - p[0][k];
            side[1][k] = p[2][k] - p[0][k];
        }
        facts_cross(side[0], side[1], normal);
        memcpy(placed, normal, sizeof placed);
        if (tally->place.known) {
            mesh_place_apply(tally->place.normals, normal, placed);
        }
        tally->twice_area +=
            sqrt(placed[0] * placed[0] + placed[1] * placed[1] + placed[2] * placed[2]);
        tally->six_volumes += p[0][0] * normal[0] + p[0][1] * normal[1] + p[0][2] * normal[2];
    }
}

// The faces of the grid that a vertex is on, a bit per face. A vertex is never on the two faces
// across its own edge's axis, even if it coincides with the last sample.
static int facts_border_faces(uint64_t edge, const uint32_t dim[3])
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

static int facts_compare_numbers(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static void facts_sort_numbers(uint32_t *numbers, uint64_t count)
{
    if (count > SHORT_LIST) {
        qsort(numbers, count, sizeof *numbers, facts_compare_numbers);
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
static uint64_t facts_bucket(uint32_t a, uint32_t b)
{
    return a < b ? 2 * (uint64_t)a : 2 * (uint64_t)b + 1;
}

static void facts_put_side(uint64_t *stops, uint32_t *ends, uint32_t a, uint32_t b)
{
    ends[stops[facts_bucket(a, b)]++] = a < b ? b : a;
}

// Sorts the larger ends of all sides into buckets: sides of triangles, and sides carried over.
// Bucket i is at ends[i ? stops[i - 1] : 0] up to stops[i].
static void facts_fill_buckets(
    const struct mesh_tally *tally, const struct mesh *mesh, uint64_t *stops, uint32_t *ends)
{
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *triangle = mesh->triangles[i];
        for (int k = 0; k < 3; k++) {
            stops[facts_bucket(triangle[k], triangle[(k + 1) % 3]) + 1]++;
        }
    }
    for (uint64_t i = 0; i < tally->side_count; i++) {
        stops[facts_bucket(tally->sides[i][0], tally->sides[i][1]) + 1]++;
    }
    for (uint64_t i = 0; i < 2 * mesh->vertex_count; i++) {
        stops[i + 1] += stops[i];
    }
    // Now stops[i] is the start of bucket i. It grows to the bucket's end while the bucket is
    // filled.
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *triangle = mesh->triangles[i];
        for (int k = 0; k < 3; k++) {
            facts_put_side(stops, ends, triangle[k], triangle[(k + 1) % 3]);
        }
    }
    for (uint64_t i = 0; i < tally->side_count; i++) {
        facts_put_side(stops, ends, tally->sides[i][0], tally->sides[i][1]);
    }
}

// Counts how often `number` repeats from list[*at] on, and moves *at behind the repetitions.
static uint64_t
facts_count_equal(const uint32_t *list, uint64_t count, uint64_t *at, uint32_t number)
{
    const uint64_t first = *at;
    while (*at < count && list[*at] == number) {
        (*at)++;
    }
    return *at - first;
}

// Counts and checks the edges whose smaller vertex is one of the first `own` vertices.
static void facts_check_edges(
    struct mesh_tally *tally, const struct mesh *mesh, uint64_t own, const uint64_t *stops,
    uint32_t *ends)
{
    struct mesh_facts *facts = &tally->facts;
    for (uint64_t v = 0; v < own; v++) {
        const uint64_t start = v ? stops[2 * v - 1] : 0;
        uint32_t *up = ends + start, *down = ends + stops[2 * v];
        const uint64_t ups = stops[2 * v] - start, downs = stops[2 * v + 1] - stops[2 * v];
        facts_sort_numbers(up, ups);
        facts_sort_numbers(down, downs);
        for (uint64_t i = 0, k = 0; i < ups || k < downs;) {
            const uint32_t other = k == downs || (i < ups && up[i] < down[k]) ? up[i] : down[k];
            const uint64_t there = facts_count_equal(up, ups, &i, other);
            const uint64_t back = facts_count_equal(down, downs, &k, other);
            tally->edges++;
            if (there > 1 || back > 1 || other == v) {
                facts->bad_edges++;
            } else if (there + back == 1) {
                facts->open_edges++;
                if (!(facts_border_faces(mesh->edges[v], tally->dim) &
                      facts_border_faces(mesh->edges[other], tally->dim))) {
                    facts->open_inside++;
                }
            }
        }
    }
}

// Carries the sides between two of the vertices from `own` on over to the next part.
static bool facts_carry_sides(
    struct mesh_tally *tally, const struct mesh *mesh, uint64_t own, const uint64_t *stops,
    const uint32_t *ends)
{
    const uint64_t first = own ? stops[2 * own - 1] : 0;
    const uint64_t count = mesh->vertex_count ? stops[2 * mesh->vertex_count - 1] - first : 0;
    free(tally->sides);
    tally->sides = malloc((count + 1) * sizeof *tally->sides);
    tally->side_count = 0;
    for (uint64_t v = own; tally->sides && v < mesh->vertex_count; v++) {
        for (uint64_t i = v ? stops[2 * v - 1] : 0; i < stops[2 * v + 1]; i++) {
            const uint32_t low = (uint32_t)(v - own), high = (uint32_t)(ends[i] - own);
            uint32_t *side = tally->sides[tally->side_count++];
            side[0] = i < stops[2 * v] ? low : high;
            side[1] = i < stops[2 * v] ? high : low;
        }
    }
    return tally->sides;
}

// The vertex that represents the connected part of `v`. The path to it is shortened on the way.
static uint64_t facts_find_root(uint64_t *parents, uint64_t v)
{
    while (parents[v] != v) {
        parents[v] = parents[parents[v]];
        v = parents[v];
    }
    return v;
}

// Counts the connected parts, and the vertices that a triangle names for the first time. `parents`:
// one per vertex.
static void facts_count_parts(struct mesh_tally *tally, const struct mesh *mesh, uint64_t *parents)
{
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        parents[v] = v < tally->shared ? tally->labels[v] : UNUSED;
    }
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        uint64_t root = 0;
        for (int k = 0; k < 3; k++) {
            const uint64_t v = mesh->triangles[i][k];
            if (parents[v] == UNUSED) {
                parents[v] = v;
                tally->vertices++;
                tally->facts.parts++;
            }
            const uint64_t other = facts_find_root(parents, v);
            if (k > 0 && other != root) {
                parents[other > root ? other : root] = other > root ? root : other;
                tally->facts.parts--;
            }
            root = k > 0 && root < other ? root : other;
        }
    }
}

// Carries over which of the vertices from `own` on are connected. Each is labelled with the first
// of them in its connected part; UNUSED if no triangle has named it. `firsts`: one per vertex,
// overwritten.
static bool facts_carry_labels(
    struct mesh_tally *tally, const struct mesh *mesh, uint64_t own, uint64_t *parents,
    uint64_t *firsts)
{
    free(tally->labels);
    tally->shared = mesh->vertex_count - own;
    tally->labels = malloc((tally->shared + 1) * sizeof *tally->labels);
    if (!tally->labels) {
        tally->shared = 0;
        return false;
    }
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        firsts[v] = UNUSED;
    }
    for (uint64_t i = 0; i < tally->shared; i++) {
        tally->labels[i] = UNUSED;
        if (parents[own + i] != UNUSED) {
            uint64_t *first = &firsts[facts_find_root(parents, own + i)];
            *first = *first == UNUSED ? i : *first;
            tally->labels[i] = *first;
        }
    }
    return true;
}

bool mesh_tally_add(
    struct mesh_tally *tally, const struct mesh *part, uint64_t own, struct problem *problem)
{
    if (!mesh_check_indices(part, problem)) {
        return false;
    }
    if (part->vertex_count < tally->shared || own > part->vertex_count) {
        return problem_set(
            problem, PROBLEM_INTERNAL,
            "a part of a surface has %" PRIu64 " vertices, and %" PRIu64 " were expected",
            part->vertex_count, tally->shared > own ? tally->shared : own);
    }
    facts_add_bounds(tally, part);
    facts_add_sizes(tally, part);
    tally->triangles += part->triangle_count;
    uint64_t *stops = calloc(2 * part->vertex_count + 1, sizeof *stops);
    uint32_t *ends = calloc(3 * part->triangle_count + tally->side_count + 1, sizeof *ends);
    bool fine = stops && ends;
    if (fine) {
        facts_fill_buckets(tally, part, stops, ends);
        facts_check_edges(tally, part, own, stops, ends);
        fine = facts_carry_sides(tally, part, own, stops, ends);
    }
    if (fine) {
        facts_count_parts(tally, part, stops);
        fine = facts_carry_labels(tally, part, own, stops, stops + part->vertex_count);
    }
    free(stops);
    free(ends);
    return fine || problem_set(
                       problem, PROBLEM_HOST_MEMORY,
                       "out of memory: checking %" PRIu64 " triangles needs %" PRIu64 " bytes",
                       part->triangle_count, 16 * part->vertex_count + 12 * part->triangle_count);
}

bool mesh_tally_end(struct mesh_tally *tally, struct mesh_facts *out, struct problem *problem)
{
    facts_end_layer(tally);
    if (tally->side_count > 0) {
        return problem_set(
            problem, PROBLEM_INTERNAL,
            "the surface is incomplete: its last part shares vertices with a part that is missing");
    }
    struct mesh_facts *facts = &tally->facts;
    facts->euler = (int64_t)(tally->vertices - tally->edges + tally->triangles);
    facts->watertight = facts->open_inside == 0 && facts->bad_edges == 0;
    facts->closed = facts->open_edges == 0 && facts->bad_edges == 0;
    *out = *facts;
    return true;
}

void mesh_tally_destroy(struct mesh_tally *tally)
{
    free(tally->labels);
    free(tally->sides);
    *tally = (struct mesh_tally){ 0 };
}

bool mesh_facts(
    const struct mesh *mesh, const uint32_t dim[3], struct mesh_facts *out, struct problem *problem)
{
    struct mesh_tally tally = { .dim = { dim[0], dim[1], dim[2] } };
    *out = (struct mesh_facts){ 0 };
    const bool fine = mesh_tally_add(&tally, mesh, mesh->vertex_count, problem) &&
                      mesh_tally_end(&tally, out, problem);
    mesh_tally_destroy(&tally);
    return fine;
}
