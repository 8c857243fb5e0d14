// Wavefront OBJ: text, one-based indices, a normal for each vertex. Nine digits preserve every
// float, and 17 every double.

#include "compute/mesh/mesh_formats.h"

#include <inttypes.h>
#include <stdio.h>

static bool
obj_put_position(struct mesh_sink *sink, const double position[3], const float normal[3])
{
    (void)normal;
    const int digits = mesh_sink_digits(sink);
    return mesh_sink_line(
        sink, "v %.*g %.*g %.*g\n", digits, position[0], digits, position[1], digits, position[2]);
}

static bool obj_put_normal(struct mesh_sink *sink, const double position[3], const float normal[3])
{
    (void)position;
    return mesh_sink_line(
        sink, "vn %.9g %.9g %.9g\n", (double)normal[0], (double)normal[1], (double)normal[2]);
}

static bool obj_put_face(struct mesh_sink *sink, const uint64_t corners[3])
{
    const uint64_t a = corners[0] + 1, b = corners[1] + 1, c = corners[2] + 1;
    return mesh_sink_line(
        sink, "f %" PRIu64 "//%" PRIu64 " %" PRIu64 "//%" PRIu64 " %" PRIu64 "//%" PRIu64 "\n", a,
        a, b, b, c, c);
}

bool mesh_put_obj(const struct mesh_source *mesh, struct mesh_sink *sink)
{
    const char *space = mesh_sink_space(sink);
    char header[200];
    const int size = snprintf(
        header, sizeof header,
        "# made by cubist\n%s%s%s# %" PRIu64 " vertices, %" PRIu64 " triangles\n",
        space ? "# " : "", space ? space : "", space ? "\n" : "", mesh->vertex_count,
        mesh->triangle_count);
    sink->records = 2 * mesh->vertex_count + mesh->triangle_count;
    return mesh_sink_put(sink, header, (size_t)size) &&
           mesh_sink_each_vertex(sink, mesh, RECORDS_OF_TEXT, obj_put_position) &&
           mesh_sink_each_vertex(sink, mesh, RECORDS_OF_TEXT, obj_put_normal) &&
           mesh_sink_each_triangle(sink, mesh, RECORDS_OF_TEXT, obj_put_face);
}
