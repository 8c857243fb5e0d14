// Object File Format (Geomview): text, a header, the vertices, the faces with zero-based indices.
// Written without normals: few readers know the variant with normals. Nine digits preserve every
// float, and 17 every double.

#include "compute/mesh/mesh_formats.h"

#include <inttypes.h>
#include <stdio.h>

static bool
off_put_position(struct mesh_sink *sink, const double position[3], const float normal[3])
{
    (void)normal;
    const int digits = mesh_sink_digits(sink);
    return mesh_sink_line(
        sink, "%.*g %.*g %.*g\n", digits, position[0], digits, position[1], digits, position[2]);
}

static bool off_put_face(struct mesh_sink *sink, const uint64_t corners[3])
{
    return mesh_sink_line(
        sink, "3 %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", corners[0], corners[1], corners[2]);
}

bool mesh_put_off(const struct mesh_source *mesh, struct mesh_sink *sink)
{
    const char *space = mesh_sink_space(sink);
    char header[200];
    const int size = snprintf(
        header, sizeof header, "OFF\n# made by cubist\n%s%s%s%" PRIu64 " %" PRIu64 " 0\n",
        space ? "# " : "", space ? space : "", space ? "\n" : "", mesh->vertex_count,
        mesh->triangle_count);
    sink->records = mesh->vertex_count + mesh->triangle_count;
    return mesh_sink_put(sink, header, (size_t)size) &&
           mesh_sink_each_vertex(sink, mesh, RECORDS_OF_TEXT, off_put_position) &&
           mesh_sink_each_triangle(sink, mesh, RECORDS_OF_TEXT, off_put_face);
}
