#include "compute/mesh/share.h"

#include "compute/mesh/share_format.h"
#include "volumes/base/interrupt.h"

#define PIECE_FULL (UINT64_C(1) << 18) // most vertices of a piece of several layers

void share_layers(uint32_t number, uint32_t count, uint32_t layers, uint32_t *from, uint32_t *to)
{
    assert(number >= 1 && number <= count);
    *from = (uint32_t)((uint64_t)layers * (number - 1) / count);
    *to = (uint32_t)((uint64_t)layers * number / count);
}

void share_slices(const struct share_head *head, uint32_t z[SHARE_SUMS])
{
    z[0] = head->from;
    z[1] = head->to;
    z[2] = head->volume.dim[2] / 2;
}

static unsigned char *put_doubles(unsigned char *at, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, &values[i], sizeof word);
        at = put_u64(at, word);
    }
    return at;
}

static void share_put_head(const struct share_head *head, unsigned char bytes[SHARE_HEAD])
{
    const struct volume *volume = &head->volume;
    memset(bytes, 0, SHARE_HEAD);
    memcpy(bytes, SHARE_SIGNATURE, SHARE_SIGNATURE_SIZE);
    unsigned char *at = put_u32(bytes + SHARE_SIGNATURE_SIZE, SHARE_VERSION);
    at = put_u32(put_u32(at, head->from), head->to);
    for (int k = 0; k < 3; k++) {
        at = put_u32(at, volume->dim[k]);
    }
    at = put_u32(put_u32(put_u32(at, volume->type), volume->file_type), volume->frame);
    at = put_doubles(at, volume->spacing, 3);
    at = put_doubles(at, volume->origin, 3);
    at = put_doubles(at, volume->direction, 9);
    at = put_doubles(at, &head->iso, 1);
    at = put_u64(at, head->input_bytes);
    put_u64(at, (uint64_t)head->input_time);
    put_u32(bytes + SHARE_HEAD - 4, (uint32_t)crc32(0, bytes, SHARE_HEAD - 4));
}

static bool share_put(
    struct share_writer *writer, const unsigned char *bytes, size_t size, struct problem *problem)
{
    writer->crc = (uint32_t)crc32(writer->crc, bytes, (uInt)size);
    return output_write(&writer->output, bytes, size, problem);
}

bool share_writer_open(
    const char *path, const struct share_head *head, struct share_writer *out,
    struct problem *problem)
{
    unsigned char bytes[SHARE_HEAD];
    *out = (struct share_writer){ .head = *head };
    out->head.volume.samples = NULL;
    share_put_head(head, bytes);
    if (!output_open(path, &out->output, problem)) {
        return false;
    }
    if (!share_put(out, bytes, sizeof bytes, problem)) {
        share_writer_abort(out);
        return false;
    }
    return true;
}

void share_writer_abort(struct share_writer *writer)
{
    output_abort(&writer->output);
    *writer = (struct share_writer){ 0 };
}

// The number of triangles whose first corner is before `vertex`. The first corner of a triangle is
// its smallest one, and lies in the lower slice of its layer.
static uint64_t share_triangles_before(const struct mesh *mesh, uint64_t vertex)
{
    uint64_t low = 0, high = mesh->triangle_count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (mesh->triangles[middle][0] < vertex) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// A piece of a part: its vertices and triangles, as numbers in the part's mesh.
struct share_range {
    uint32_t first, end;      // layers
    uint64_t vertex, own_end; // its own vertices
    uint64_t foreign_end;     // the next piece's vertices are those from own_end up to this
    uint64_t face, face_end;
};

static bool share_write_vertices(
    struct share_writer *writer, const struct mesh *mesh, const struct share_range *range,
    struct problem *problem)
{
    unsigned char bytes[MESH_BLOCK * RECORD_VERTEX];
    for (uint64_t from = range->vertex; from < range->own_end; from += MESH_BLOCK) {
        const size_t count = mesh_block(range->own_end, from);
        for (size_t i = 0; i < count; i++) {
            put_vertex(
                bytes + i * RECORD_VERTEX, mesh->positions[from + i], mesh->normals[from + i]);
        }
        if (!share_put(writer, bytes, count * RECORD_VERTEX, problem)) {
            return false;
        }
    }
    const uint64_t lowest = share_slice_edges(&writer->head.volume) * range->first;
    for (uint64_t from = range->vertex; from < range->own_end; from += MESH_BLOCK) {
        const size_t count = mesh_block(range->own_end, from);
        for (size_t i = 0; i < count; i++) {
            put_number(bytes + i * RECORD_NUMBER, mesh->edges[from + i] - lowest);
        }
        if (!share_put(writer, bytes, count * RECORD_NUMBER, problem)) {
            return false;
        }
    }
    return true;
}

static bool share_write_triangles(
    struct share_writer *writer, const struct mesh *mesh, const struct share_range *range,
    struct problem *problem)
{
    unsigned char bytes[MESH_BLOCK * RECORD_FACE];
    for (uint64_t from = range->face; from < range->face_end; from += MESH_BLOCK) {
        const size_t count = mesh_block(range->face_end, from);
        unsigned char *at = bytes;
        for (size_t i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) {
                at = put_number(at, mesh->triangles[from + i][k] - range->vertex);
            }
        }
        if (!share_put(writer, bytes, count * RECORD_FACE, problem)) {
            return false;
        }
    }
    return true;
}

static bool share_write_piece(
    struct share_writer *writer, const struct mesh *mesh, const struct share_range *range,
    struct problem *problem)
{
    const uint64_t own = range->own_end - range->vertex, faces = range->face_end - range->face;
    if (interrupted) {
        return problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
    }
    if (own == 0 && faces == 0) {
        return true;
    }
    unsigned char bytes[SHARE_PIECE];
    unsigned char *at = put_u32(put_u32(bytes, SHARE_PIECE_MARK), range->first);
    at = put_u32(put_u32(at, range->end - range->first), 0);
    at = put_u64(put_u64(at, own), range->foreign_end - range->own_end);
    put_u64(at, faces);
    writer->end.vertices += own;
    writer->end.triangles += faces;
    writer->end.pieces++;
    return share_put(writer, bytes, sizeof bytes, problem) &&
           share_write_vertices(writer, mesh, range, problem) &&
           share_write_triangles(writer, mesh, range, problem);
}

bool share_writer_part(
    struct share_writer *writer, const struct mesh *mesh, uint64_t own, uint32_t first,
    uint32_t end, struct problem *problem)
{
    const uint64_t slice = share_slice_edges(&writer->head.volume);
    struct share_range range = { .first = first };
    assert(writer->head.from <= first && first < end && end <= writer->head.to);
    if (slice > SHARE_NUMBER_MOST / 2 || mesh->vertex_count >= SHARE_NUMBER_MOST) {
        return problem_set(
            problem, PROBLEM_LIMIT, "cannot write '%s': a layer is too large for a share",
            writer->output.path);
    }
    for (uint32_t z = first + 1; z <= end; z++) {
        // The piece ends below slice z, unless it can hold one more layer.
        const uint64_t next =
            z < end ? mesh_vertices_below(mesh, slice * (z + 1)) : mesh->vertex_count;
        if (z < end && next - range.vertex <= PIECE_FULL &&
            (uint64_t)(z + 1 - range.first) <= SHARE_NUMBER_MOST / slice - 1) {
            continue;
        }
        range.end = z;
        range.own_end = z < end ? mesh_vertices_below(mesh, slice * z) : own;
        range.foreign_end = next;
        range.face_end =
            z < end ? share_triangles_before(mesh, range.own_end) : mesh->triangle_count;
        if (!share_write_piece(writer, mesh, &range, problem)) {
            return false;
        }
        range.first = z;
        range.vertex = range.own_end;
        range.face = range.face_end;
    }
    return true;
}

bool share_writer_commit(
    struct share_writer *writer, uint64_t active_cells, const uint32_t sums[SHARE_SUMS],
    struct problem *problem)
{
    const struct share_end *end = &writer->end;
    unsigned char bytes[SHARE_END] = { 0 };
    unsigned char *at = put_u32(put_u32(bytes, SHARE_END_MARK), 0);
    at = put_u64(put_u64(at, end->vertices), end->triangles);
    at = put_u64(put_u64(at, end->pieces), active_cells);
    for (int i = 0; i < SHARE_SUMS; i++) {
        at = put_u32(at, sums[i]);
    }
    bool fine = share_put(writer, bytes, sizeof bytes - 4, problem);
    put_u32(bytes, writer->crc);
    fine = fine && share_put(writer, bytes, 4, problem) && output_commit(&writer->output, problem);
    share_writer_abort(writer);
    return fine;
}
