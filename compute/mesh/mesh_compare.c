// Both meshes are in canonical order, so each has a list of vertices sorted by grid edge, and a
// list of triangles sorted by their corners' grid edges. One merge over each pair of lists finds
// what is missing, what is surplus and what to compare, independent of the vertex numbers.

#include "compute/mesh/mesh_compare.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// Writes the text of a difference; only the first one is kept.
static void __attribute__((format(printf, 3, 4)))
compare_note(struct mesh_difference *out, uint64_t first, const char *format, ...)
{
    if (out->text[0]) {
        return;
    }
    va_list list;
    va_start(list, format);
    vsnprintf(out->text, sizeof out->text, format, list);
    va_end(list);
    out->first = first;
}

static double compare_largest(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

static void compare_vertex(
    const struct mesh *expected, uint64_t e, const struct mesh *found, uint64_t f,
    const struct mesh_tolerance *tolerance, struct mesh_difference *out)
{
    const float *p = expected->positions[e], *q = found->positions[f];
    const float *n = expected->normals[e], *m = found->normals[f];
    bool near = true;
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double off = fabs((double)p[k] - q[k]);
        out->worst_position = compare_largest(off, out->worst_position);
        near &= off <= tolerance->position + fabs(p[k]) * FLT_EPSILON; // false for a NaN
        square += ((double)n[k] - m[k]) * ((double)n[k] - m[k]);
    }
    const double turned = sqrt(square);
    out->worst_normal = compare_largest(turned, out->worst_normal);
    if (!near) {
        out->positions_off++;
        compare_note(
            out, e,
            "vertex %" PRIu64 " on grid edge %" PRIu64
            ": expected at (%.9g, %.9g, %.9g), found at (%.9g, %.9g, %.9g)",
            e, expected->edges[e], p[0], p[1], p[2], q[0], q[1], q[2]);
    }
    if (!(turned <= tolerance->normal)) {
        out->normals_off++;
        compare_note(
            out, e,
            "vertex %" PRIu64 " on grid edge %" PRIu64
            ": expected normal (%.6g, %.6g, %.6g), found (%.6g, %.6g, %.6g)",
            e, expected->edges[e], n[0], n[1], n[2], m[0], m[1], m[2]);
    }
}

static void compare_vertices(
    const struct mesh *expected, const struct mesh *found, const struct mesh_tolerance *tolerance,
    struct mesh_difference *out)
{
    for (uint64_t e = 0, f = 0; e < expected->vertex_count || f < found->vertex_count;) {
        const bool has_e = e < expected->vertex_count, has_f = f < found->vertex_count;
        if (has_e && has_f && expected->edges[e] == found->edges[f]) {
            compare_vertex(expected, e++, found, f++, tolerance, out);
        } else if (has_e && (!has_f || expected->edges[e] < found->edges[f])) {
            const float *p = expected->positions[e];
            out->edges_missing++;
            compare_note(
                out, e,
                "vertex %" PRIu64 " on grid edge %" PRIu64
                ", expected at (%.9g, %.9g, %.9g), is missing",
                e, expected->edges[e], p[0], p[1], p[2]);
            e++;
        } else {
            const float *q = found->positions[f];
            out->edges_surplus++;
            compare_note(
                out, f,
                "vertex %" PRIu64 " on grid edge %" PRIu64
                ", found at (%.9g, %.9g, %.9g), is not expected",
                f, found->edges[f], q[0], q[1], q[2]);
            f++;
        }
    }
}

// The grid edge of a corner; UINT64_MAX if the mesh has no such vertex.
static uint64_t compare_corner_edge(const struct mesh *mesh, uint64_t triangle, int corner)
{
    const uint32_t vertex = mesh->triangles[triangle][corner];
    return vertex < mesh->vertex_count ? mesh->edges[vertex] : UINT64_MAX;
}

static int
compare_order(const struct mesh *expected, uint64_t e, const struct mesh *found, uint64_t f)
{
    for (int k = 0; k < 3; k++) {
        const uint64_t a = compare_corner_edge(expected, e, k),
                       b = compare_corner_edge(found, f, k);
        if (a != b) {
            return a < b ? -1 : 1;
        }
    }
    return 0;
}

static void compare_note_triangle(
    struct mesh_difference *out, const struct mesh *mesh, uint64_t triangle, const char *verdict)
{
    compare_note(
        out, triangle,
        "triangle %" PRIu64 " between grid edges %" PRIu64 ", %" PRIu64 " and %" PRIu64 " %s",
        triangle, compare_corner_edge(mesh, triangle, 0), compare_corner_edge(mesh, triangle, 1),
        compare_corner_edge(mesh, triangle, 2), verdict);
}

static void compare_triangles(
    const struct mesh *expected, const struct mesh *found, struct mesh_difference *out)
{
    for (uint64_t e = 0, f = 0; e < expected->triangle_count || f < found->triangle_count;) {
        const int which = e == expected->triangle_count ? 1
                          : f == found->triangle_count  ? -1
                                                        : compare_order(expected, e, found, f);
        if (which < 0) {
            out->triangles_off++;
            compare_note_triangle(out, expected, e, "is missing");
        } else if (which > 0) {
            out->triangles_off++;
            compare_note_triangle(out, found, f, "is not expected");
        }
        e += which <= 0;
        f += which >= 0;
    }
}

bool mesh_compare(
    const struct mesh *expected, const struct mesh *found, const struct mesh_tolerance *tolerance,
    struct mesh_difference *out)
{
    struct mesh_tolerance allowed = tolerance ? *tolerance : (struct mesh_tolerance){ 0 };
    if (allowed.position == 0) {
        allowed.position = 1e-4;
    }
    if (allowed.normal == 0) {
        allowed.normal = 2e-2;
    }
    *out = (struct mesh_difference){ 0 };
    compare_vertices(expected, found, &allowed, out);
    compare_triangles(expected, found, out);
    out->vertices_equal = expected->vertex_count == found->vertex_count;
    out->edges_equal = out->edges_missing == 0 && out->edges_surplus == 0;
    out->positions_equal = out->positions_off == 0;
    out->normals_equal = out->normals_off == 0;
    out->triangles_equal = out->triangles_off == 0;
    return out->vertices_equal && out->edges_equal && out->positions_equal && out->normals_equal &&
           out->triangles_equal;
}
