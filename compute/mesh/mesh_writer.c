#include "compute/mesh/mesh_writer.h"

#include "compute/mesh/mesh_pages.h"
#include "compute/mesh/mesh_records.h"
#include "volumes/base/interrupt.h"
#include "volumes/formats/source.h"
#include "volumes/formats/spool.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER ((size_t)1 << 18)

static bool
writer_spool_open(struct mesh_spool *spool, const struct output *output, struct problem *problem)
{
    *spool = (struct mesh_spool){ .fd = -1, .buffer = malloc(BUFFER) };
    if (!spool->buffer) {
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory writing '%s'", output->path);
    }
    spool->fd = spool_create(output->folder);
    return spool->fd >= 0 ||
           problem_set(
               problem, PROBLEM_OUTPUT, "cannot write '%s': no temporary file can be made: %s",
               output->path, strerror(errno));
}

static void writer_spool_close(struct mesh_spool *spool)
{
    if (spool->buffer && spool->fd >= 0) {
        close(spool->fd);
    }
    free(spool->buffer);
    *spool = (struct mesh_spool){ .fd = -1 };
}

static bool
writer_spool_flush(struct mesh_spool *spool, const struct output *output, struct problem *problem)
{
    if (!output_put(spool->fd, spool->buffer, spool->filled)) {
        return problem_set(
            problem, PROBLEM_OUTPUT, "cannot write '%s': its temporary files: %s", output->path,
            errno ? strerror(errno) : "nothing was taken");
    }
    spool->size += spool->filled;
    spool->filled = 0;
    return true;
}

// Allocates `size` more bytes in the buffer, which the caller fills; NULL if the disk is full.
static unsigned char *writer_spool_allocate(
    struct mesh_spool *spool, size_t size, const struct output *output, struct problem *problem)
{
    if (size > BUFFER - spool->filled && !writer_spool_flush(spool, output, problem)) {
        return NULL;
    }
    spool->filled += size;
    return spool->buffer + spool->filled - size;
}

static bool writer_spool_read(
    const struct mesh_spool *spool, uint64_t at, void *bytes, size_t size,
    const struct output *output, struct problem *problem)
{
    int error;
    if (source_read_at(spool->fd, at, bytes, size, &error) < size) {
        return problem_set(
            problem, PROBLEM_OUTPUT, "cannot write '%s': its temporary files: %s", output->path,
            error ? strerror(error) : "they are shorter than they were");
    }
    return true;
}

bool mesh_writer_open(
    const char *path, const struct mesh_write_params *params, struct mesh_writer *out,
    struct problem *problem)
{
    static const struct mesh_write_params nothing;
    params = params ? params : &nothing;
    *out = (struct mesh_writer){ 0 };
    out->format = params->format ? params->format : mesh_format_of(path, problem);
    out->place = mesh_place_of(params->volume);
    out->pieces = params->pieces;
    out->objects[0].material = params->material;
    return out->format &&
           (params->placed ? output_open_new(path, params->placed, &out->output, problem)
                           : output_open(path, &out->output, problem));
}

// Opens the temporary files when the first part comes.
static bool writer_open_spools(struct mesh_writer *writer, struct problem *problem)
{
    return writer->vertices.buffer ||
           (writer_spool_open(&writer->vertices, &writer->output, problem) &&
            writer_spool_open(&writer->triangles, &writer->output, problem));
}

void mesh_writer_abort(struct mesh_writer *writer)
{
    writer_spool_close(&writer->vertices);
    writer_spool_close(&writer->triangles);
    mesh_destroy(&writer->whole);
    output_abort(&writer->output);
    *writer = (struct mesh_writer){ 0 };
}

// The object that was begun last; NULL: none was.
static struct mesh_object *writer_object(struct mesh_writer *writer)
{
    return writer->object_count > 0 ? &writer->objects[writer->object_count - 1] : NULL;
}

void mesh_writer_object(
    struct mesh_writer *writer, const char *name, const struct mesh_material *material)
{
    const struct mesh_object *last = writer_object(writer);
    writer->object_count += !last || last->triangle_count > 0;
    assert(writer->object_count <= MESH_OBJECTS);
    struct mesh_object *object = writer_object(writer);
    object->first_vertex = writer->vertex_count;
    object->first_triangle = writer->triangle_count;
    object->material = *material;
    snprintf(object->name, sizeof object->name, "%s", name);
}

static bool writer_check_counts(
    struct mesh_writer *writer, uint64_t vertices, uint64_t triangles, struct problem *problem)
{
    writer->vertex_count += vertices;
    writer->triangle_count += triangles;
    struct mesh_object *object = writer_object(writer);
    if (object) {
        object->vertex_count += vertices;
        object->triangle_count += triangles;
    }
    const struct mesh counts = {
        .vertex_count = writer->vertex_count,
        .triangle_count = writer->triangle_count,
    };
    return !writer->format->check || writer->format->check(&counts, writer->output.path, problem);
}

bool mesh_writer_vertices(
    struct mesh_writer *writer, uint64_t count, const float (*positions)[3],
    const float (*normals)[3], struct problem *problem)
{
    if (!writer_check_counts(writer, count, 0, problem) || !writer_open_spools(writer, problem)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        unsigned char *at =
            writer_spool_allocate(&writer->vertices, RECORD_VERTEX, &writer->output, problem);
        if (!at) {
            return false;
        }
        put_vertex(at, positions[i], normals[i]);
    }
    return true;
}

bool mesh_writer_triangles(
    struct mesh_writer *writer, uint64_t count, const uint64_t (*corners)[3],
    struct problem *problem)
{
    if (!writer_check_counts(writer, 0, count, problem) || !writer_open_spools(writer, problem)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        unsigned char *at =
            writer_spool_allocate(&writer->triangles, RECORD_FACE, &writer->output, problem);
        if (!at) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            const uint64_t corner = corners[i][k];
            writer->corners = corner >= writer->corners ? corner + 1 : writer->corners;
            at = put_number(at, corner);
        }
    }
    return true;
}

bool mesh_writer_part(
    struct mesh_writer *writer, struct mesh *mesh, uint64_t own, uint64_t first_vertex, bool last,
    struct problem *problem)
{
    if (last && !writer->object_count && !writer->vertex_count && !writer->triangle_count) {
        if (!writer_check_counts(writer, mesh->vertex_count, mesh->triangle_count, problem)) {
            return false;
        }
        mesh_destroy(&writer->whole);
        writer->whole = *mesh;
        *mesh = (struct mesh){ 0 };
        return true;
    }
    if (!mesh_writer_vertices(
            writer, own, (const float(*)[3])mesh->positions, (const float(*)[3])mesh->normals,
            problem)) {
        return false;
    }
    for (uint64_t first = 0; first < mesh->triangle_count; first += MESH_BLOCK) {
        uint64_t corners[MESH_BLOCK][3];
        const size_t n = mesh_block(mesh->triangle_count, first);
        for (size_t i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++) {
                corners[i][k] = first_vertex + mesh->triangles[first + i][k];
            }
        }
        if (interrupted) {
            return problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
        }
        if (!mesh_writer_triangles(writer, n, (const uint64_t(*)[3])corners, problem)) {
            return false;
        }
    }
    return true;
}

uint64_t mesh_writer_bytes(const struct mesh_writer *writer)
{
    return writer->vertices.size + writer->triangles.size;
}

// The temporary files as a mesh_source.
struct writer_parts {
    const struct mesh_writer *writer;
    struct mesh_source source;
    struct mesh_pages pages;
};

static bool writer_fetch_vertices(
    void *user, uint64_t first, size_t count, float (*positions)[3], float (*normals)[3],
    struct problem *problem)
{
    const struct mesh_writer *writer = ((struct writer_parts *)user)->writer;
    unsigned char bytes[MESH_BLOCK * RECORD_VERTEX];
    if (!writer_spool_read(
            &writer->vertices, first * RECORD_VERTEX, bytes, count * RECORD_VERTEX, &writer->output,
            problem)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        get_vertex(bytes + i * RECORD_VERTEX, positions[i], normals[i]);
    }
    return true;
}

static bool writer_fetch_triangles(
    void *user, uint64_t first, size_t count, uint64_t (*corners)[3], struct problem *problem)
{
    const struct mesh_writer *writer = ((struct writer_parts *)user)->writer;
    unsigned char bytes[MESH_BLOCK * RECORD_FACE];
    if (!writer_spool_read(
            &writer->triangles, first * RECORD_FACE, bytes, count * RECORD_FACE, &writer->output,
            problem)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        get_face(bytes + i * RECORD_FACE, corners[i]);
    }
    return true;
}

static bool
writer_fetch_position(void *user, uint64_t vertex, float out[3], struct problem *problem)
{
    struct writer_parts *parts = user;
    return mesh_pages_position(&parts->pages, &parts->source, vertex, out, problem);
}

bool mesh_write_window(
    const struct mesh_source *source, const struct mesh_format *format, const struct volume *volume,
    const struct mesh_window *window, struct output *output, const struct progress *progress,
    struct problem *problem)
{
    struct mesh_sink sink = {
        .output = output,
        .place = mesh_place_of(volume),
        .window = window,
        .progress = progress,
        .problem = problem,
        .pieces = window ? window->pieces : 0,
    };
    return mesh_format_put(format, source, &sink);
}

static bool writer_put_source(
    struct mesh_writer *writer, const struct mesh_source *source, const struct progress *progress,
    struct problem *problem)
{
    struct mesh_sink sink = {
        .output = &writer->output,
        .place = writer->place,
        .progress = progress,
        .problem = problem,
        .pieces = writer->pieces,
    };
    return mesh_format_put(writer->format, source, &sink);
}

static bool writer_put_parts(
    struct mesh_writer *writer, const struct progress *progress, struct problem *problem)
{
    if (writer->corners > writer->vertex_count) {
        return problem_set(
            problem, PROBLEM_INTERNAL,
            "a triangle of the mesh names vertex %" PRIu64 ", but it has %" PRIu64 " vertices",
            writer->corners - 1, writer->vertex_count);
    }
    if (!writer_spool_flush(&writer->vertices, &writer->output, problem) ||
        !writer_spool_flush(&writer->triangles, &writer->output, problem)) {
        return false;
    }
    struct writer_parts parts = { .writer = writer };
    parts.source = (struct mesh_source){
        .vertex_count = writer->vertex_count,
        .triangle_count = writer->triangle_count,
        .vertices = writer_fetch_vertices,
        .triangles = writer_fetch_triangles,
        .position = writer_fetch_position,
        .user = &parts,
    };
    const struct mesh_object *last = writer_object(writer);
    memcpy(parts.source.objects, writer->objects, sizeof writer->objects);
    parts.source.object_count = writer->object_count - (last && last->triangle_count == 0);
    const bool fine = writer_put_source(writer, &parts.source, progress, problem);
    mesh_pages_free(&parts.pages);
    return fine;
}

// Writes a mesh that came as a whole, or an empty one.
static bool writer_put_whole(
    struct mesh_writer *writer, const struct progress *progress, struct problem *problem)
{
    struct mesh_source source = mesh_source_of(&writer->whole);
    source.objects[0].material = writer->objects[0].material;
    return writer_put_source(writer, &source, progress, problem);
}

bool mesh_writer_commit(
    struct mesh_writer *writer, const struct progress *progress, struct problem *problem)
{
    const bool fine = (writer->vertices.buffer ? writer_put_parts
                                               : writer_put_whole)(writer, progress, problem) &&
                      output_commit(&writer->output, problem);
    mesh_writer_abort(writer);
    return fine;
}

bool mesh_write_source(
    const struct mesh_source *source, const char *path, const struct mesh_write_params *params,
    struct problem *problem)
{
    static const struct mesh_write_params nothing;
    params = params ? params : &nothing;
    const struct mesh counts = {
        .vertex_count = source->vertex_count,
        .triangle_count = source->triangle_count,
    };
    const struct mesh_format *format =
        params->format ? params->format : mesh_format_of(path, problem);
    struct mesh_writer writer;
    if (!format || (format->check && !format->check(&counts, path, problem)) ||
        !mesh_writer_open(path, params, &writer, problem)) {
        return false;
    }
    const bool fine = writer_put_source(&writer, source, params->progress, problem) &&
                      output_commit(&writer.output, problem);
    mesh_writer_abort(&writer);
    return fine;
}

bool mesh_write(
    const struct mesh *mesh, const char *path, const struct mesh_write_params *params,
    struct problem *problem)
{
    const struct mesh_source source = mesh_source_of(mesh);
    return mesh_write_source(&source, path, params, problem);
}
