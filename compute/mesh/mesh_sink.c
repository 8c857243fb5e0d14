#include "compute/mesh/mesh_sink.h"

#include <stdarg.h>
#include <stdio.h>

#define RECORDS_BETWEEN_REPORTS 1024

// Reports how much of its window a process has written, 0 to 1. `records` is of the whole mesh.
static bool sink_report(const struct mesh_sink *sink)
{
    double share = sink->records ? (double)sink->done / (double)sink->records : 0;
    share *= mesh_window_count(sink->window);
    return !sink->progress || sink->progress->report(sink->progress->user, share < 1 ? share : 1) ||
           problem_set(sink->problem, PROBLEM_INTERRUPTED, "interrupted");
}

bool mesh_sink_go_on(struct mesh_sink *sink)
{
    return sink_report(sink);
}

bool mesh_sink_section(struct mesh_sink *sink, uint64_t before, uint64_t bytes)
{
    const uint64_t at = sink->at + before;
    sink->at += bytes;
    return !sink->window || output_seek(sink->output, at, sink->problem);
}

bool mesh_sink_put(struct mesh_sink *sink, const void *bytes, size_t size)
{
    return mesh_window_first(sink->window)
               ? mesh_sink_section(sink, 0, size) &&
                     output_write(sink->output, bytes, size, sink->problem)
               : mesh_sink_section(sink, size, size);
}

bool mesh_sink_record(struct mesh_sink *sink, const void *bytes, size_t size)
{
    if (sink->counts) {
        sink->counted += size;
        return true;
    }
    if (!output_write(sink->output, bytes, size, sink->problem)) {
        return false;
    }
    sink->done++;
    assert(sink->done <= sink->records);
    return !sink->progress ||
           (sink->done % RECORDS_BETWEEN_REPORTS != 0 && sink->done != sink->records) ||
           sink_report(sink);
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

// Rounds to the nearest float. It is not inlined, because GCC 12 with -O3 drops the conversion to
// float and back if it converts two values at once.
static double __attribute__((noinline)) sink_round(double value)
{
    return (float)value;
}

// Where the file has floats, positions are rounded here, once for all formats.
static void sink_place(const struct mesh_sink *sink, const float grid[3], double out[3])
{
    mesh_place_position(&sink->place, grid, out);
    for (int k = 0; k < 3 && !sink->place.doubles; k++) {
        out[k] = sink_round(out[k]);
    }
}

bool mesh_sink_vertices(
    struct mesh_sink *sink, const struct mesh_source *mesh, uint64_t first, size_t count,
    double (*positions)[3], float (*normals)[3])
{
    float grid[MESH_BLOCK][3], slopes[MESH_BLOCK][3];
    if (!mesh->vertices(mesh->user, first, count, grid, slopes, sink->problem)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        sink_place(sink, grid[i], positions[i]);
        mesh_place_normal(&sink->place, slopes[i], normals[i]);
    }
    return true;
}

bool mesh_sink_vertex(
    struct mesh_sink *sink, const struct mesh_source *mesh, uint64_t vertex, double out[3])
{
    float grid[3];
    if (!mesh->position(mesh->user, vertex, grid, sink->problem)) {
        return false;
    }
    sink_place(sink, grid, out);
    return true;
}

bool mesh_sink_triangles(
    struct mesh_sink *sink, const struct mesh_source *mesh, uint64_t first, size_t count,
    uint64_t (*corners)[3])
{
    if (!mesh->triangles(mesh->user, first, count, corners, sink->problem)) {
        return false;
    }
    for (size_t i = 0; i < count && sink->place.determinant < 0; i++) {
        const uint64_t second = corners[i][1];
        corners[i][1] = corners[i][2];
        corners[i][2] = second;
    }
    return true;
}

// The mesh, and the function that is called for each element: one of the three.
struct sink_loop {
    const struct mesh_source *mesh;
    mesh_put_vertex *vertex;
    mesh_put_triangle *triangle;
    mesh_put_number *number;
};

static bool sink_put_vertices(
    struct mesh_sink *sink, const struct sink_loop *loop, uint64_t first, size_t count)
{
    double positions[MESH_BLOCK][3];
    float normals[MESH_BLOCK][3];
    if (!mesh_sink_vertices(sink, loop->mesh, first, count, positions, normals)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!loop->vertex(sink, positions[i], normals[i])) {
            return false;
        }
    }
    return true;
}

static bool sink_put_triangles(
    struct mesh_sink *sink, const struct sink_loop *loop, uint64_t first, size_t count)
{
    uint64_t corners[MESH_BLOCK][3];
    if (!mesh_sink_triangles(sink, loop->mesh, first, count, corners)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!loop->triangle(sink, corners[i])) {
            return false;
        }
    }
    return true;
}

static bool
sink_put_numbers(struct mesh_sink *sink, const struct sink_loop *loop, uint64_t first, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!loop->number(sink, first + i)) {
            return false;
        }
    }
    return true;
}

static bool
sink_loop(struct mesh_sink *sink, const struct sink_loop *loop, const struct mesh_range *range)
{
    for (uint64_t first = range->first; first < range->end; first += MESH_BLOCK) {
        const size_t count = mesh_block(range->end, first);
        if (sink->counts && !mesh_sink_go_on(sink)) {
            return false;
        }
        if (!(loop->vertex     ? sink_put_vertices(sink, loop, first, count)
              : loop->triangle ? sink_put_triangles(sink, loop, first, count)
                               : sink_put_numbers(sink, loop, first, count))) {
            return false;
        }
    }
    return true;
}

// Puts the window of a section of `total` records. `size`: bytes of a record, or RECORDS_OF_TEXT.
static bool
sink_each(struct mesh_sink *sink, const struct sink_loop *loop, uint64_t total, size_t size)
{
    const struct mesh_range range = mesh_window_range(sink->window, total);
    sink->record = size;
    uint64_t before = range.first * size, bytes = total * size;
    if (sink->window && size == RECORDS_OF_TEXT) {
        sink->counts = true;
        sink->counted = 0;
        const bool fine = sink_loop(sink, loop, &range);
        sink->counts = false;
        if (!fine ||
            !mesh_window_sum(sink->window, sink->counted, &before, &bytes, sink->problem)) {
            return false;
        }
    }
    return mesh_sink_section(sink, before, bytes) && sink_loop(sink, loop, &range);
}

bool mesh_sink_each_vertex(
    struct mesh_sink *sink, const struct mesh_source *mesh, size_t size, mesh_put_vertex *put)
{
    const struct sink_loop loop = { .mesh = mesh, .vertex = put };
    return sink_each(sink, &loop, mesh->vertex_count, size);
}

bool mesh_sink_each_triangle(
    struct mesh_sink *sink, const struct mesh_source *mesh, size_t size, mesh_put_triangle *put)
{
    const struct sink_loop loop = { .mesh = mesh, .triangle = put };
    return sink_each(sink, &loop, mesh->triangle_count, size);
}

bool mesh_sink_each_number(
    struct mesh_sink *sink, uint64_t total, size_t size, mesh_put_number *put)
{
    const struct sink_loop loop = { .number = put };
    return sink_each(sink, &loop, total, size);
}

static bool
sink_put_position(struct mesh_sink *sink, const double position[3], const float normal[3])
{
    (void)normal;
    unsigned char record[24];
    put_position(record, sink, position);
    return mesh_sink_record(sink, record, mesh_sink_position_size(sink));
}

static bool sink_put_normal(struct mesh_sink *sink, const double position[3], const float normal[3])
{
    (void)position;
    unsigned char record[12];
    put_floats(record, normal);
    return mesh_sink_record(sink, record, sizeof record);
}

bool mesh_sink_vectors(struct mesh_sink *sink, const struct mesh_source *mesh, bool of_normals)
{
    return mesh_sink_each_vertex(
        sink, mesh, of_normals ? 12 : mesh_sink_position_size(sink),
        of_normals ? sink_put_normal : sink_put_position);
}

const char *mesh_sink_space(const struct mesh_sink *sink)
{
    static const char *const spaces[] = {
        [VOLUME_FRAME_UNSAID] = NULL,
        [VOLUME_FRAME_LPS] = "SPACE=LPS",
        [VOLUME_FRAME_RAS] = "SPACE=RAS",
    };
    return spaces[sink->place.frame];
}
