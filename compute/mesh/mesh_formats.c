#include "compute/mesh/mesh_formats.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#define RECORDS_BETWEEN_REPORTS 1024

const struct mesh_format mesh_formats[] = {
    {
        .name = "ply",
        .extension = ".ply",
        .summary = "Polygon File Format, binary, with normals",
        .check = mesh_check_ply,
        .put = mesh_put_ply,
    },
    {
        .name = "stl",
        .extension = ".stl",
        .summary = "STL, binary: loose triangles, those without area left out",
        .check = mesh_check_stl,
        .put = mesh_put_stl,
    },
    {
        .name = "obj",
        .extension = ".obj",
        .summary = "Wavefront OBJ, text, with normals",
        .put = mesh_put_obj,
    },
    {
        .name = "glb",
        .extension = ".glb",
        .summary = "glTF 2.0, binary, with normals; y is up",
        .check = mesh_check_glb,
        .put = mesh_put_glb,
    },
    {
        .name = "vtp",
        .extension = ".vtp",
        .summary = "VTK PolyData XML, raw appended data, with normals",
        .put = mesh_put_vtp,
    },
    {
        .name = "off",
        .extension = ".off",
        .summary = "Object File Format, text, without normals",
        .put = mesh_put_off,
    },
    { 0 },
};

const struct mesh_format *mesh_format_find(const char *name)
{
    for (const struct mesh_format *format = mesh_formats; format->name; format++) {
        if (strcasecmp(name, format->name) == 0) {
            return format;
        }
    }
    return NULL;
}

const struct mesh_format *mesh_format_of(const char *path, struct problem *problem)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name || !dot[1]) {
        return &mesh_formats[0];
    }
    char known[200] = "";
    for (const struct mesh_format *format = mesh_formats; format->name; format++) {
        if (strcasecmp(dot, format->extension) == 0) {
            return format;
        }
        const size_t length = strlen(known);
        snprintf(
            known + length, sizeof known - length, "%s%s", format == mesh_formats ? "" : " ",
            format->extension);
    }
    problem_set(
        problem, PROBLEM_USAGE,
        "%.400s: unknown kind of file '%.40s', expected one of %s, or --format", path, dot, known);
    return NULL;
}

bool mesh_sink_put(struct mesh_sink *sink, const void *bytes, size_t size)
{
    return output_write(sink->output, bytes, size, sink->problem);
}

bool mesh_sink_record(struct mesh_sink *sink, const void *bytes, size_t size)
{
    if (!output_write(sink->output, bytes, size, sink->problem)) {
        return false;
    }
    sink->done++;
    assert(sink->done <= sink->records);
    if (sink->progress &&
        (sink->done % RECORDS_BETWEEN_REPORTS == 0 || sink->done == sink->records) &&
        !sink->progress->report(sink->progress->user, (double)sink->done / (double)sink->records)) {
        return problem_set(sink->problem, PROBLEM_INTERRUPTED, "writing the mesh was cancelled");
    }
    return true;
}

bool mesh_sink_each_vertex(
    struct mesh_sink *sink, const struct mesh_source *mesh, mesh_put_vertex *put, const void *user)
{
    float positions[MESH_BLOCK][3], normals[MESH_BLOCK][3];
    for (uint64_t first = 0; first < mesh->vertex_count; first += MESH_BLOCK) {
        const size_t count = mesh_block(mesh->vertex_count, first);
        if (!mesh->vertices(mesh->user, first, count, positions, normals, sink->problem)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            if (!put(sink, positions[i], normals[i], user)) {
                return false;
            }
        }
    }
    return true;
}

bool mesh_sink_each_triangle(
    struct mesh_sink *sink, const struct mesh_source *mesh, mesh_put_triangle *put,
    const void *user)
{
    uint64_t corners[MESH_BLOCK][3];
    for (uint64_t first = 0; first < mesh->triangle_count; first += MESH_BLOCK) {
        const size_t count = mesh_block(mesh->triangle_count, first);
        if (!mesh->triangles(mesh->user, first, count, corners, sink->problem)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            if (!put(sink, corners[i], user)) {
                return false;
            }
        }
    }
    return true;
}

bool mesh_sink_line(struct mesh_sink *sink, const char *format, ...)
{
    char line[200];
    va_list list;
    va_start(list, format);
    const int size = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    assert(size > 0 && (size_t)size < sizeof line);
    return mesh_sink_record(sink, line, (size_t)size);
}

static bool sink_put_position(
    struct mesh_sink *sink, const float position[3], const float normal[3], const void *of)
{
    (void)normal;
    (void)of;
    unsigned char record[12];
    put_floats(record, position);
    return mesh_sink_record(sink, record, sizeof record);
}

static bool sink_put_normal(
    struct mesh_sink *sink, const float position[3], const float normal[3], const void *of)
{
    (void)position;
    return sink_put_position(sink, normal, normal, of);
}

bool mesh_sink_vectors(struct mesh_sink *sink, const struct mesh_source *mesh, bool of_normals)
{
    return mesh_sink_each_vertex(
        sink, mesh, of_normals ? sink_put_normal : sink_put_position, NULL);
}

bool mesh_sink_go_on(struct mesh_sink *sink)
{
    const struct progress *progress = sink->progress;
    return !progress || progress->report(progress->user, 0) ||
           problem_set(sink->problem, PROBLEM_INTERRUPTED, "writing the mesh was cancelled");
}

const char *mesh_sink_space(const struct mesh_sink *sink)
{
    static const char *const spaces[] = {
        [VOLUME_FRAME_UNSAID] = NULL,
        [VOLUME_FRAME_LPS] = "SPACE=LPS",
        [VOLUME_FRAME_RAS] = "SPACE=RAS",
    };
    return spaces[sink->frame];
}

bool mesh_format_put(
    const struct mesh_format *format, const struct mesh_source *mesh, struct mesh_sink *sink)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) {
        return problem_set(sink->problem, PROBLEM_HOST_MEMORY, "out of memory writing numbers");
    }
    const locale_t before = uselocale(plain);
    const bool fine = format->put(mesh, sink);
    uselocale(before);
    freelocale(plain);
    return fine;
}
