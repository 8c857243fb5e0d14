// Binary PLY (Turk 1994): float x y z nx ny nz; list uchar int vertex_indices. Every reader knows
// these names and types. Where floats are too coarse for the positions, x y z are double.

#include "compute/mesh/mesh_formats.h"

#include <inttypes.h>
#include <stdio.h>

// Bytes of the records.
#define NORMAL 12
#define FACE   13

bool mesh_check_ply(const struct mesh *mesh, const char *path, struct problem *problem)
{
    return mesh->vertex_count <= INT32_MAX ||
           problem_set(
               problem, PROBLEM_LIMIT,
               "%s: the mesh has at least %" PRIu64 " vertices, a PLY file's indices end at %d; "
               "write a .vtp file, or choose an isovalue with less surface",
               path, mesh->vertex_count, INT32_MAX);
}

static bool ply_put_vertex(struct mesh_sink *sink, const double position[3], const float normal[3])
{
    unsigned char record[24 + NORMAL];
    put_floats(put_position(record, sink, position), normal);
    return mesh_sink_record(sink, record, mesh_sink_position_size(sink) + NORMAL);
}

static bool ply_put_face(struct mesh_sink *sink, const uint64_t corners[3])
{
    unsigned char record[FACE] = { 3 }, *at = record + 1;
    for (int k = 0; k < 3; k++) {
        at = put_u32(at, (uint32_t)corners[k]);
    }
    return mesh_sink_record(sink, record, sizeof record);
}

bool mesh_put_ply(const struct mesh_source *mesh, struct mesh_sink *sink)
{
    const char *space = mesh_sink_space(sink);
    const char *type = sink->place.doubles ? "double" : "float";
    char header[512];
    const int size = snprintf(
        header, sizeof header,
        "ply\n"
        "format binary_little_endian 1.0\n"
        "comment made by cubist\n"
        "%s%s%s"
        "element vertex %" PRIu64 "\n"
        "property %s x\n"
        "property %s y\n"
        "property %s z\n"
        "property float nx\n"
        "property float ny\n"
        "property float nz\n"
        "element face %" PRIu64 "\n"
        "property list uchar int vertex_indices\n"
        "end_header\n",
        space ? "comment " : "", space ? space : "", space ? "\n" : "", mesh->vertex_count, type,
        type, type, mesh->triangle_count);
    sink->records = mesh->vertex_count + mesh->triangle_count;
    return mesh_sink_put(sink, header, (size_t)size) &&
           mesh_sink_each_vertex(
               sink, mesh, mesh_sink_position_size(sink) + NORMAL, ply_put_vertex) &&
           mesh_sink_each_triangle(sink, mesh, FACE, ply_put_face);
}
