// The mesh of the shares, as a mesh_source, and its facts.
#include "compute/mesh/shares.h"

#include "compute/mesh/share_format.h"
#include "volumes/base/input.h"

static struct source *shares_file(struct shares *shares, size_t share, struct problem *problem)
{
    for (int i = 0; i < SHARES_OPEN; i++) {
        if (shares->open[i].share == share + 1) {
            return &shares->open[i].source;
        }
    }
    const size_t at = shares->opened++ % SHARES_OPEN;
    if (shares->open[at].share) {
        source_close(&shares->open[at].source);
        shares->open[at].share = 0;
    }
    if (!share_reopen(&shares->list[share], &shares->open[at].source, problem)) {
        return NULL;
    }
    shares->open[at].share = share + 1;
    return &shares->open[at].source;
}

// The piece that has the vertex, or the triangle, `number`.
static const struct shares_piece *
shares_piece_of(const struct shares *shares, uint64_t number, bool triangle)
{
    uint64_t low = 0, high = shares->piece_count;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        const struct shares_piece *piece = &shares->pieces[middle];
        if ((triangle ? piece->first_triangle : piece->first_vertex) <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &shares->pieces[low];
}

// Which records of a piece.
enum shares_what { SHARES_VERTICES, SHARES_EDGES, SHARES_TRIANGLES };

// Reads up to *count records of one piece, from record `first` of the mesh on. Sets *count to the
// number of records read.
static const struct shares_piece *shares_fetch(
    struct shares *shares, enum shares_what what, uint64_t first, size_t *count,
    unsigned char *bytes, struct problem *problem)
{
    static const size_t sizes[] = { RECORD_VERTEX, RECORD_NUMBER, RECORD_FACE };
    const bool triangles = what == SHARES_TRIANGLES;
    const struct shares_piece *piece = shares_piece_of(shares, first, triangles);
    const uint64_t from = first - (triangles ? piece->first_triangle : piece->first_vertex);
    const uint64_t left = (triangles ? piece->piece.triangles : piece->piece.own) - from;
    uint64_t at = piece->piece.at + from * sizes[what];
    at += what >= SHARES_EDGES ? piece->piece.own * RECORD_VERTEX : 0;
    at += what >= SHARES_TRIANGLES ? piece->piece.own * RECORD_NUMBER : 0;
    *count = *count < left ? *count : (size_t)left;
    struct source *source = shares_file(shares, piece->share, problem);
    return source && share_read(source, at, bytes, *count * sizes[what], problem) ? piece : NULL;
}

static bool shares_fetch_vertices(
    void *user, uint64_t first, size_t count, float (*positions)[3], float (*normals)[3],
    struct problem *problem)
{
    unsigned char bytes[MESH_BLOCK * RECORD_VERTEX];
    for (size_t done = 0; done < count;) {
        size_t n = count - done;
        if (!shares_fetch(user, SHARES_VERTICES, first + done, &n, bytes, problem)) {
            return false;
        }
        for (size_t i = 0; i < n; i++, done++) {
            get_vertex(bytes + i * RECORD_VERTEX, positions[done], normals[done]);
        }
    }
    return true;
}

static bool shares_fetch_edges(
    struct shares *shares, uint64_t first, size_t count, uint64_t *edges, struct problem *problem)
{
    const uint64_t slice = share_slice_edges(&shares->list[0].head.volume);
    unsigned char bytes[MESH_BLOCK * RECORD_NUMBER];
    for (size_t done = 0; done < count;) {
        size_t n = count - done;
        const struct shares_piece *piece =
            shares_fetch(shares, SHARES_EDGES, first + done, &n, bytes, problem);
        for (size_t i = 0; piece && i < n; i++, done++) {
            edges[done] =
                piece->piece.first * slice + get_bytes(bytes + i * RECORD_NUMBER, RECORD_NUMBER);
        }
        if (!piece) {
            return false;
        }
    }
    return true;
}

// Refuses corners that name no vertex: the file may have changed since it was checked.
static bool shares_fetch_triangles(
    void *user, uint64_t first, size_t count, uint64_t (*corners)[3], struct problem *problem)
{
    struct shares *shares = user;
    unsigned char bytes[MESH_BLOCK * RECORD_FACE];
    for (size_t done = 0; done < count;) {
        size_t n = count - done;
        const struct shares_piece *piece =
            shares_fetch(shares, SHARES_TRIANGLES, first + done, &n, bytes, problem);
        if (!piece) {
            return false;
        }
        for (size_t i = 0; i < n; i++, done++) {
            get_face(bytes + i * RECORD_FACE, corners[done]);
            for (int k = 0; k < 3; k++) {
                if (corners[done][k] >= piece->piece.own + piece->piece.foreign) {
                    return problem_set(
                        problem, PROBLEM_INPUT, "'%s' changed while it was read",
                        shares->list[piece->share].path);
                }
                corners[done][k] += piece->first_vertex;
            }
        }
    }
    return true;
}

static bool
shares_fetch_position(void *user, uint64_t vertex, float out[3], struct problem *problem)
{
    struct shares *shares = user;
    return mesh_pages_position(&shares->pages, &shares->source, vertex, out, problem);
}

const struct mesh_source *shares_source(struct shares *shares)
{
    shares->source = (struct mesh_source){
        .vertex_count = shares->vertex_count,
        .triangle_count = shares->triangle_count,
        .vertices = shares_fetch_vertices,
        .triangles = shares_fetch_triangles,
        .position = shares_fetch_position,
        .user = shares,
    };
    return &shares->source;
}

// ---- facts ----

// Loads a piece, with the vertices of the next piece that its triangles name.
static bool shares_load(
    struct shares *shares, const struct shares_piece *piece, struct mesh *out,
    struct problem *problem)
{
    const uint64_t vertices = piece->piece.own + piece->piece.foreign;
    if (vertices > UINT32_MAX) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "layer %u of '%s' has more than 2^32 vertices: its facts cannot be counted",
            piece->piece.first, shares->list[piece->share].path);
    }
    if (!mesh_create(vertices, piece->piece.triangles, out, problem)) {
        return false;
    }
    bool fine = true;
    for (uint64_t i = 0; fine && i < vertices; i += MESH_BLOCK) {
        const uint64_t first = piece->first_vertex + i;
        const size_t count = mesh_block(vertices, i);
        fine = shares_fetch_vertices(
                   shares, first, count, out->positions + i, out->normals + i, problem) &&
               shares_fetch_edges(shares, first, count, out->edges + i, problem);
    }
    for (uint64_t i = 0; fine && i < piece->piece.triangles; i += MESH_BLOCK) {
        uint64_t corners[MESH_BLOCK][3];
        const size_t count = mesh_block(piece->piece.triangles, i);
        fine = shares_fetch_triangles(shares, piece->first_triangle + i, count, corners, problem);
        for (size_t t = 0; fine && t < count; t++) {
            for (int k = 0; k < 3; k++) {
                out->triangles[i + t][k] = (uint32_t)(corners[t][k] - piece->first_vertex);
            }
        }
    }
    if (!fine) {
        mesh_destroy(out);
    }
    return fine;
}

bool shares_facts(
    struct shares *shares, const struct progress *progress, struct mesh_facts *out,
    struct problem *problem)
{
    const struct volume *volume = &shares->list[0].head.volume;
    struct mesh_tally tally = { .place = mesh_place_of(volume) };
    bool fine = true;
    memcpy(tally.dim, volume->dim, sizeof tally.dim);
    for (uint64_t i = 0; fine && i < shares->piece_count; i++) {
        const struct shares_piece *piece = &shares->pieces[i];
        struct mesh mesh;
        fine = progress_report(
                   progress, shares->list[piece->share].path, i, shares->piece_count, problem) &&
               shares_load(shares, piece, &mesh, problem);
        if (fine) {
            fine = mesh_tally_add(&tally, &mesh, piece->piece.own, problem);
            mesh_destroy(&mesh);
        }
    }
    fine = fine && mesh_tally_end(&tally, out, problem);
    mesh_tally_destroy(&tally);
    return fine;
}
