// Wavefront OBJ: text, one-based indices, a normal for each vertex. Nine digits bring every float
// back as it was.

#include "compute/mesh_formats.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>

static bool put_header(const struct mesh_source *mesh, struct mesh_sink *sink)
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

static bool put_vectors(const struct mesh_source *mesh, bool of_normals, struct mesh_sink *sink)
{
    float positions[MESH_BLOCK][3], normals[MESH_BLOCK][3];
    const float(*vectors)[3] = (const float(*)[3])(of_normals ? normals : positions);
    for (uint64_t first = 0; first < mesh->vertex_count; first += MESH_BLOCK) {
        const size_t count = mesh_block(mesh->vertex_count, first);
        if (!mesh->vertices(mesh->user, first, count, positions, normals, sink->problem)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            char line[80];
            const int size = snprintf(
                line, sizeof line, "%s %.9g %.9g %.9g\n", of_normals ? "vn" : "v",
                (double)vectors[i][0], (double)vectors[i][1], (double)vectors[i][2]);
            if (!mesh_sink_record(sink, line, (size_t)size)) {
                return false;
            }
        }
    }
    return true;
}

static bool put_faces(const struct mesh_source *mesh, struct mesh_sink *sink)
{
    uint64_t corners[MESH_BLOCK][3];
    for (uint64_t first = 0; first < mesh->triangle_count; first += MESH_BLOCK) {
        const size_t count = mesh_block(mesh->triangle_count, first);
        if (!mesh->triangles(mesh->user, first, count, corners, sink->problem)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            const uint64_t a = corners[i][0] + 1, b = corners[i][1] + 1, c = corners[i][2] + 1;
            char line[150];
            const int size = snprintf(
                line, sizeof line,
                "f %" PRIu64 "//%" PRIu64 " %" PRIu64 "//%" PRIu64 " %" PRIu64 "//%" PRIu64 "\n", a,
                a, b, b, c, c);
            if (!mesh_sink_record(sink, line, (size_t)size)) {
                return false;
            }
        }
    }
    return true;
}

static bool put_lines(const struct mesh_source *mesh, struct mesh_sink *sink)
{
    return put_header(mesh, sink) && put_vectors(mesh, false, sink) &&
           put_vectors(mesh, true, sink) && put_faces(mesh, sink);
}

bool mesh_put_obj(const struct mesh_source *mesh, struct mesh_sink *sink)
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
