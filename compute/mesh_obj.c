// Wavefront OBJ: text, one-based indices, a normal for each vertex. Nine digits bring every float
// back as it was.

#include "compute/mesh_formats.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>

static bool put_header(const struct mesh *mesh, struct mesh_sink *sink)
{
    const char *space = mesh_sink_space(sink);
    char text[200];
    const int size = snprintf(
        text, sizeof text,
        "# made by cubist\n%s%s%s# %" PRIu64 " vertices, %" PRIu64 " triangles\n",
        space ? "# " : "", space ? space : "", space ? "\n" : "", mesh->vertex_count,
        mesh->triangle_count);
    return mesh_sink_put(sink, text, (size_t)size);
}

static bool
put_vectors(const float (*vectors)[3], uint64_t count, const char *keyword, struct mesh_sink *sink)
{
    for (uint64_t i = 0; i < count; i++) {
        char line[80];
        const int size = snprintf(
            line, sizeof line, "%s %.9g %.9g %.9g\n", keyword, (double)vectors[i][0],
            (double)vectors[i][1], (double)vectors[i][2]);
        if (!mesh_sink_record(sink, line, (size_t)size)) {
            return false;
        }
    }
    return true;
}

static bool put_lines(const struct mesh *mesh, struct mesh_sink *sink)
{
    if (!put_header(mesh, sink) || !put_vectors(mesh->positions, mesh->vertex_count, "v", sink) ||
        !put_vectors(mesh->normals, mesh->vertex_count, "vn", sink)) {
        return false;
    }
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        const uint64_t a = mesh->triangles[i][0] + UINT64_C(1);
        const uint64_t b = mesh->triangles[i][1] + UINT64_C(1);
        const uint64_t c = mesh->triangles[i][2] + UINT64_C(1);
        char line[80];
        const int size = snprintf(
            line, sizeof line,
            "f %" PRIu64 "//%" PRIu64 " %" PRIu64 "//%" PRIu64 " %" PRIu64 "//%" PRIu64 "\n", a, a,
            b, b, c, c);
        if (!mesh_sink_record(sink, line, (size_t)size)) {
            return false;
        }
    }
    return true;
}

bool mesh_put_obj(const struct mesh *mesh, struct mesh_sink *sink)
{
    sink->records = 2 * mesh->vertex_count + mesh->triangle_count;
    // A point is a point, whatever the people here write.
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) {
        return problem_set(sink->problem, PROBLEM_DEVICE, "out of memory writing numbers");
    }
    const locale_t before = uselocale(plain);
    const bool fine = put_lines(mesh, sink);
    uselocale(before);
    freelocale(plain);
    return fine;
}
