// Binary PLY (Turk 1994). Records are put together byte by byte, so the host's order plays no part,
// and handed on in chunks, between which the progress is reported.

#include "compute/mesh.h"

#include "volumes/output.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define VERTEX_BYTES   24
#define TRIANGLE_BYTES 13
#define CHUNK          4096 // records

static unsigned char *put_word(unsigned char *at, uint32_t word)
{
    for (int i = 0; i < 4; i++) {
        *at++ = (unsigned char)(word >> 8 * i);
    }
    return at;
}

static unsigned char *put_floats(unsigned char *at, const float values[3])
{
    for (int i = 0; i < 3; i++) {
        uint32_t word;
        static_assert(sizeof word == sizeof values[i], "a float is 32 bits");
        memcpy(&word, &values[i], sizeof word);
        at = put_word(at, word);
    }
    return at;
}

static bool write_header(const struct mesh *mesh, struct output *output, struct problem *problem)
{
    char header[512];
    const int size = snprintf(
        header, sizeof header,
        "ply\n"
        "format binary_little_endian 1.0\n"
        "comment made by cubist\n"
        "element vertex %" PRIu64 "\n"
        "property float x\n"
        "property float y\n"
        "property float z\n"
        "property float nx\n"
        "property float ny\n"
        "property float nz\n"
        "element face %" PRIu64 "\n"
        "property list uchar int vertex_indices\n"
        "end_header\n",
        mesh->vertex_count, mesh->triangle_count);
    return output_write(output, header, (size_t)size, problem);
}

static bool
report(const struct progress *progress, double done, double total, struct problem *problem)
{
    if (!progress || progress->report(progress->user, total > 0 ? done / total : 1)) {
        return true;
    }
    return problem_set(problem, PROBLEM_CANCELLED, "writing the mesh was cancelled");
}

static uint64_t chunk_end(uint64_t start, uint64_t count)
{
    return count - start < CHUNK ? count : start + CHUNK;
}

static bool write_body(
    const struct mesh *mesh, struct output *output, const struct progress *progress,
    struct problem *problem)
{
    const double total =
        (double)mesh->vertex_count * VERTEX_BYTES + (double)mesh->triangle_count * TRIANGLE_BYTES;
    unsigned char chunk[CHUNK * VERTEX_BYTES];
    for (uint64_t i = 0; i < mesh->vertex_count;) {
        unsigned char *at = chunk;
        for (const uint64_t end = chunk_end(i, mesh->vertex_count); i < end; i++) {
            at = put_floats(at, mesh->positions[i]);
            at = put_floats(at, mesh->normals[i]);
        }
        if (!output_write(output, chunk, (size_t)(at - chunk), problem) ||
            !report(progress, (double)i * VERTEX_BYTES, total, problem)) {
            return false;
        }
    }
    for (uint64_t i = 0; i < mesh->triangle_count;) {
        unsigned char *at = chunk;
        for (const uint64_t end = chunk_end(i, mesh->triangle_count); i < end; i++) {
            *at++ = 3;
            for (int k = 0; k < 3; k++) {
                at = put_word(at, mesh->triangles[i][k]);
            }
        }
        const double done = (double)mesh->vertex_count * VERTEX_BYTES + (double)i * TRIANGLE_BYTES;
        if (!output_write(output, chunk, (size_t)(at - chunk), problem) ||
            !report(progress, done, total, problem)) {
            return false;
        }
    }
    return true;
}

bool mesh_write_ply(
    const struct mesh *mesh, const char *path, const struct progress *progress,
    struct problem *problem)
{
    if (mesh->vertex_count > INT32_MAX) {
        return problem_set(
            problem, PROBLEM_DEVICE,
            "%s: the mesh has %" PRIu64 " vertices, a PLY file's indices end at %d; "
            "choose an isovalue with less surface",
            path, mesh->vertex_count, INT32_MAX);
    }
    struct output output;
    if (!output_open(path, &output, problem)) {
        return false;
    }
    if (!write_header(mesh, &output, problem) || !write_body(mesh, &output, progress, problem)) {
        goto fail;
    }
    return output_commit(&output, problem);

fail:
    output_abort(&output);
    return false;
}
