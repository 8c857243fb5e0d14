// Binary STL (3D Systems 1988): an 80-byte header, a count, and 50 bytes for each triangle. The
// header must not begin with "solid", by which readers know the text form. A triangle without area
// has no facet normal, and readers stumble over it: it is left out.

#include "compute/mesh_formats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

bool mesh_check_stl(const struct mesh *mesh, const char *path, struct problem *problem)
{
    return mesh->triangle_count <= UINT32_MAX ||
           problem_set(
               problem, PROBLEM_DEVICE,
               "%s: the mesh has %" PRIu64 " triangles, an STL file's count ends at %" PRIu32 "; "
               "choose an isovalue with less surface, or another format",
               path, mesh->triangle_count, UINT32_MAX);
}

// The unit normal by the corners' order; false where the triangle has no area.
static bool facet_normal(const struct mesh *mesh, uint64_t triangle, float out[3])
{
    double side[2][3], normal[3];
    const float *first = mesh->positions[mesh->triangles[triangle][0]];
    for (int c = 0; c < 2; c++) {
        const float *corner = mesh->positions[mesh->triangles[triangle][c + 1]];
        for (int k = 0; k < 3; k++) {
            side[c][k] = (double)corner[k] - (double)first[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        normal[k] = side[0][u] * side[1][v] - side[0][v] * side[1][u];
    }
    const double length = hypot(hypot(normal[0], normal[1]), normal[2]);
    for (int k = 0; k < 3; k++) {
        out[k] = (float)(normal[k] / length);
    }
    return length > 0;
}

bool mesh_put_stl(const struct mesh *mesh, struct mesh_sink *sink)
{
    const char *space = mesh_sink_space(sink);
    float normal[3];
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        sink->records += facet_normal(mesh, i, normal);
    }
    char text[81] = { 0 };
    snprintf(
        text, sizeof text, "binary STL made by cubist%s%s", space ? "; " : "", space ? space : "");
    unsigned char header[84];
    memcpy(header, text, 80);
    put_u32(header + 80, (uint32_t)sink->records);
    if (!mesh_sink_put(sink, header, sizeof header)) {
        return false;
    }
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        if (!facet_normal(mesh, i, normal)) {
            continue;
        }
        unsigned char record[50], *at = put_floats(record, normal);
        for (int k = 0; k < 3; k++) {
            at = put_floats(at, mesh->positions[mesh->triangles[i][k]]);
        }
        put_u16(at, 0);
        if (!mesh_sink_record(sink, record, sizeof record)) {
            return false;
        }
    }
    return true;
}
