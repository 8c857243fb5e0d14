// VTK PolyData as XML with raw appended data. The XML names the offset of each array from the '_'.
// An array is its byte count in 64 bits, then its bytes. Points are Float32, or Float64 where
// floats are too coarse for them.

#include "compute/mesh/mesh_formats.h"

#include <inttypes.h>
#include <stdio.h>

static bool vtp_put_vectors(const struct mesh_source *mesh, bool of_normals, struct mesh_sink *sink)
{
    unsigned char record[8];
    put_u64(record, (of_normals ? 12 : mesh_sink_position_size(sink)) * mesh->vertex_count);
    return mesh_sink_put(sink, record, sizeof record) && mesh_sink_vectors(sink, mesh, of_normals);
}

// `size`: bytes of an index, 4 or 8.
static unsigned char *vtp_put_index(unsigned char *at, uint64_t index, size_t size)
{
    return size == 8 ? put_u64(at, index) : put_u32(at, (uint32_t)index);
}

static bool vtp_put_triangle(struct mesh_sink *sink, const uint64_t corners[3])
{
    unsigned char record[24], *at = record;
    for (int k = 0; k < 3; k++) {
        at = vtp_put_index(at, corners[k], sink->record / 3);
    }
    return mesh_sink_record(sink, record, sink->record);
}

// Puts a triangle's offset: where its corners end in the list of indices.
static bool vtp_put_end(struct mesh_sink *sink, uint64_t triangle)
{
    unsigned char record[8];
    vtp_put_index(record, 3 * (triangle + 1), sink->record);
    return mesh_sink_record(sink, record, sink->record);
}

static bool vtp_put_triangles(const struct mesh_source *mesh, unsigned size, struct mesh_sink *sink)
{
    unsigned char record[8];
    put_u64(record, 3 * size * mesh->triangle_count);
    if (!mesh_sink_put(sink, record, sizeof record) ||
        !mesh_sink_each_triangle(sink, mesh, 3 * size, vtp_put_triangle)) {
        return false;
    }
    put_u64(record, size * mesh->triangle_count);
    return mesh_sink_put(sink, record, sizeof record) &&
           mesh_sink_each_number(sink, mesh->triangle_count, size, vtp_put_end);
}

static bool vtp_put_id(struct mesh_sink *sink, uint64_t number)
{
    unsigned char record[8];
    put_u64(record, sink->first_id + number);
    return mesh_sink_record(sink, record, sizeof record);
}

// The numbers of a piece's vertices in the whole mesh.
static bool vtp_put_ids(const struct mesh_source *mesh, struct mesh_sink *sink)
{
    unsigned char record[8];
    put_u64(record, 8 * mesh->vertex_count);
    return !sink->ids || (mesh_sink_put(sink, record, sizeof record) &&
                          mesh_sink_each_number(sink, mesh->vertex_count, 8, vtp_put_id));
}

bool mesh_put_vtp(const struct mesh_source *mesh, struct mesh_sink *sink)
{
    static const char end[] = "\n  </AppendedData>\n</VTKFile>\n";
    const uint64_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    // Indices are signed in VTK. The last offset is three times the number of triangles.
    const unsigned size = vertices <= INT32_MAX && triangles <= INT32_MAX / 3 ? 4 : 8;
    const uint64_t normals = 8 + mesh_sink_position_size(sink) * vertices;
    const uint64_t corners = normals + 8 + 12 * vertices;
    const uint64_t ends = corners + 8 + 3 * size * triangles;
    char header[2048], ids[200] = "";
    if (sink->ids) {
        snprintf(
            ids, sizeof ids,
            "        <DataArray type=\"Int64\" IdType=\"1\" Name=\"GlobalPointIds\""
            " format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
            ends + 8 + size * triangles);
    }
    const int length = snprintf(
        header, sizeof header,
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\""
        " header_type=\"UInt64\">\n"
        "  <PolyData>\n"
        "    <Piece NumberOfPoints=\"%" PRIu64 "\" NumberOfVerts=\"0\" NumberOfLines=\"0\""
        " NumberOfStrips=\"0\" NumberOfPolys=\"%" PRIu64 "\">\n"
        "      <PointData Normals=\"Normals\"%s>\n"
        "        <DataArray type=\"Float32\" Name=\"Normals\" NumberOfComponents=\"3\""
        " format=\"appended\" offset=\"%" PRIu64 "\"/>\n"
        "%s"
        "      </PointData>\n"
        "      <Points>\n"
        "        <DataArray type=\"Float%u\" Name=\"Points\" NumberOfComponents=\"3\""
        " format=\"appended\" offset=\"0\"/>\n"
        "      </Points>\n"
        "      <Polys>\n"
        "        <DataArray type=\"Int%u\" Name=\"connectivity\" format=\"appended\""
        " offset=\"%" PRIu64 "\"/>\n"
        "        <DataArray type=\"Int%u\" Name=\"offsets\" format=\"appended\""
        " offset=\"%" PRIu64 "\"/>\n"
        "      </Polys>\n"
        "    </Piece>\n"
        "  </PolyData>\n"
        "  <AppendedData encoding=\"raw\">\n"
        "   _",
        vertices, triangles, ids[0] ? " GlobalIds=\"GlobalPointIds\"" : "", normals, ids,
        sink->place.doubles ? 64 : 32, 8 * size, corners, 8 * size, ends);
    assert(length > 0 && (size_t)length < sizeof header);
    sink->records = 2 * (vertices + triangles) + (sink->ids ? vertices : 0);
    return mesh_sink_put(sink, header, (size_t)length) && vtp_put_vectors(mesh, false, sink) &&
           vtp_put_vectors(mesh, true, sink) && vtp_put_triangles(mesh, size, sink) &&
           vtp_put_ids(mesh, sink) && mesh_sink_put(sink, end, sizeof end - 1);
}
