#include "compute/mesh/mesh_writer.h"

#include "volumes/formats/spool.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER       ((size_t)1 << 18)
#define VERTEX_BYTES (6 * sizeof(float))
#define INDEX_BYTES  5 // 2^40 vertices are 24 TiB
#define FACE_BYTES   (3 * INDEX_BYTES)
#define PAGES        256 // blocks of vertices kept for lookup in any order: 12 MiB

static bool
spool_open(struct mesh_spool *spool, const struct output *output, struct problem *problem)
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

static void spool_close(struct mesh_spool *spool)
{
    if (spool->buffer && spool->fd >= 0) {
        close(spool->fd);
    }
    free(spool->buffer);
    *spool = (struct mesh_spool){ .fd = -1 };
}

static bool
spool_flush(struct mesh_spool *spool, const struct output *output, struct problem *problem)
{
    for (size_t at = 0; at < spool->filled;) {
        const ssize_t done = write(spool->fd, spool->buffer + at, spool->filled - at);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return problem_set(
                problem, PROBLEM_OUTPUT, "cannot write '%s': its temporary files: %s", output->path,
                done < 0 ? strerror(errno) : "nothing was taken");
        }
        at += (size_t)done;
        spool->size += (uint64_t)done;
    }
    spool->filled = 0;
    return true;
}

// Room for `size` more bytes, which the caller fills; NULL where the disk is full.
static unsigned char *spool_take(
    struct mesh_spool *spool, size_t size, const struct output *output, struct problem *problem)
{
    if (size > BUFFER - spool->filled && !spool_flush(spool, output, problem)) {
        return NULL;
    }
    spool->filled += size;
    return spool->buffer + spool->filled - size;
}

static bool spool_read(
    const struct mesh_spool *spool, uint64_t at, void *bytes, size_t size,
    const struct output *output, struct problem *problem)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = pread(spool->fd, (char *)bytes + done, size - done, (off_t)(at + done));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return problem_set(
                problem, PROBLEM_OUTPUT, "cannot write '%s': its temporary files: %s", output->path,
                n < 0 ? strerror(errno) : "they are shorter than they were");
        }
        done += (size_t)n;
    }
    return true;
}

bool mesh_writer_open(
    const char *path, const struct mesh_writer_params *params, struct mesh_writer *out,
    struct problem *problem)
{
    static const struct mesh_writer_params nothing;
    params = params ? params : &nothing;
    *out = (struct mesh_writer){ 0 };
    out->format = params->format ? params->format : mesh_format_of(path, problem);
    if (!out->format || !output_open(path, &out->output, problem)) {
        return false;
    }
    if (params->volume) {
        out->placed = true;
        out->place = *params->volume;
        out->place.samples = NULL;
    }
    if (!spool_open(&out->vertices, &out->output, problem) ||
        !spool_open(&out->triangles, &out->output, problem)) {
        mesh_writer_abort(out);
        return false;
    }
    return true;
}

void mesh_writer_abort(struct mesh_writer *writer)
{
    spool_close(&writer->vertices);
    spool_close(&writer->triangles);
    output_abort(&writer->output);
    *writer = (struct mesh_writer){ 0 };
}

static bool
check(struct mesh_writer *writer, uint64_t vertices, uint64_t triangles, struct problem *problem)
{
    writer->vertex_count += vertices;
    writer->triangle_count += triangles;
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
    if (!check(writer, count, 0, problem)) {
        return false;
    }
    for (uint64_t first = 0; first < count; first += MESH_BLOCK) {
        float own_positions[MESH_BLOCK][3], own_normals[MESH_BLOCK][3];
        const size_t n = mesh_block(count, first);
        memcpy(own_positions, positions + first, n * sizeof *own_positions);
        memcpy(own_normals, normals + first, n * sizeof *own_normals);
        if (writer->placed) {
            struct mesh block = {
                .vertex_count = n,
                .positions = own_positions,
                .normals = own_normals,
            };
            mesh_to_world(&block, &writer->place);
        }
        for (size_t i = 0; i < n; i++) {
            unsigned char *at =
                spool_take(&writer->vertices, VERTEX_BYTES, &writer->output, problem);
            if (!at) {
                return false;
            }
            memcpy(at, own_positions[i], sizeof own_positions[i]);
            memcpy(at + VERTEX_BYTES / 2, own_normals[i], sizeof own_normals[i]);
        }
    }
    return true;
}

bool mesh_writer_triangles(
    struct mesh_writer *writer, uint64_t count, const uint64_t (*corners)[3],
    struct problem *problem)
{
    const bool mirrored = writer->placed && mesh_mirrors(&writer->place);
    if (!check(writer, 0, count, problem)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        unsigned char *at = spool_take(&writer->triangles, FACE_BYTES, &writer->output, problem);
        if (!at) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            const uint64_t corner = corners[i][mirrored && k > 0 ? 3 - k : k];
            assert(corner >> (8 * INDEX_BYTES) == 0);
            writer->corners = corner >= writer->corners ? corner + 1 : writer->corners;
            for (int b = 0; b < INDEX_BYTES; b++) {
                *at++ = (unsigned char)(corner >> (8 * b));
            }
        }
    }
    return true;
}

// The pieces as a mesh_source. Vertices in any order come by way of a cache: one block per place.
struct pieces {
    const struct mesh_writer *writer;
    struct {
        uint64_t block; // one more than its number; 0: none
        float (*vertices)[6];
    } pages[PAGES];
};

static bool fetch_vertices(
    void *user, uint64_t first, size_t count, float (*positions)[3], float (*normals)[3],
    struct problem *problem)
{
    const struct mesh_writer *writer = ((struct pieces *)user)->writer;
    float vertices[MESH_BLOCK][2][3];
    if (!spool_read(
            &writer->vertices, first * VERTEX_BYTES, vertices, count * VERTEX_BYTES,
            &writer->output, problem)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(positions[i], vertices[i][0], sizeof *positions);
        memcpy(normals[i], vertices[i][1], sizeof *normals);
    }
    return true;
}

static bool fetch_triangles(
    void *user, uint64_t first, size_t count, uint64_t (*corners)[3], struct problem *problem)
{
    const struct mesh_writer *writer = ((struct pieces *)user)->writer;
    unsigned char bytes[MESH_BLOCK * FACE_BYTES], *at = bytes;
    if (!spool_read(
            &writer->triangles, first * FACE_BYTES, bytes, count * FACE_BYTES, &writer->output,
            problem)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            corners[i][k] = 0;
            for (int b = 0; b < INDEX_BYTES; b++) {
                corners[i][k] |= (uint64_t)*at++ << (8 * b);
            }
        }
    }
    return true;
}

static bool fetch_position(void *user, uint64_t vertex, float out[3], struct problem *problem)
{
    struct pieces *pieces = user;
    const struct mesh_writer *writer = pieces->writer;
    const uint64_t block = vertex / MESH_BLOCK, first = block * MESH_BLOCK;
    const size_t page = (size_t)(block % PAGES);
    if (pieces->pages[page].block != block + 1) {
        if (!pieces->pages[page].vertices) {
            pieces->pages[page].vertices = malloc(MESH_BLOCK * VERTEX_BYTES);
        }
        if (!pieces->pages[page].vertices) {
            return problem_set(
                problem, PROBLEM_HOST_MEMORY, "out of memory writing '%s'", writer->output.path);
        }
        pieces->pages[page].block = 0;
        if (!spool_read(
                &writer->vertices, first * VERTEX_BYTES, pieces->pages[page].vertices,
                mesh_block(writer->vertex_count, first) * VERTEX_BYTES, &writer->output, problem)) {
            return false;
        }
        pieces->pages[page].block = block + 1;
    }
    memcpy(out, pieces->pages[page].vertices[vertex - first], 3 * sizeof *out);
    return true;
}

static bool
put_together(struct mesh_writer *writer, const struct progress *progress, struct problem *problem)
{
    struct pieces pieces = { .writer = writer };
    const struct mesh_source source = {
        .vertex_count = writer->vertex_count,
        .triangle_count = writer->triangle_count,
        .vertices = fetch_vertices,
        .triangles = fetch_triangles,
        .position = fetch_position,
        .user = &pieces,
    };
    struct mesh_sink sink = {
        .output = &writer->output,
        .frame = writer->placed ? writer->place.frame : VOLUME_FRAME_UNSAID,
        .progress = progress,
        .problem = problem,
    };
    const bool fine = mesh_format_put(writer->format, &source, &sink);
    for (int i = 0; i < PAGES; i++) {
        free(pieces.pages[i].vertices);
    }
    return fine;
}

bool mesh_writer_commit(
    struct mesh_writer *writer, const struct progress *progress, struct problem *problem)
{
    bool fine = writer->corners <= writer->vertex_count ||
                problem_set(
                    problem, PROBLEM_INTERNAL,
                    "a triangle of the mesh names vertex %" PRIu64 ", there are %" PRIu64,
                    writer->corners - 1, writer->vertex_count);
    fine = fine && spool_flush(&writer->vertices, &writer->output, problem) &&
           spool_flush(&writer->triangles, &writer->output, problem) &&
           put_together(writer, progress, problem);
    fine = fine && output_commit(&writer->output, problem);
    mesh_writer_abort(writer);
    return fine;
}
