#include "compute/mesh/shares.h"

#include "compute/mesh/share_format.h"
#include "volumes/base/input.h"
#include "volumes/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- which shares there are ----

static int shares_compare(const void *left, const void *right)
{
    const struct share_head *a = &((const struct share *)left)->head;
    const struct share_head *b = &((const struct share *)right)->head;
    const int order = (a->from > b->from) - (a->from < b->from);
    return order ? order : (a->to > b->to) - (a->to < b->to);
}

static bool shares_same_place(const struct volume *a, const struct volume *b)
{
    return a->frame == b->frame && memcmp(a->spacing, b->spacing, sizeof a->spacing) == 0 &&
           memcmp(a->origin, b->origin, sizeof a->origin) == 0 &&
           memcmp(a->direction, b->direction, sizeof a->direction) == 0;
}

// Whether two shares are of the same surface, as far as heads and ends tell.
static bool
shares_match(const struct share *first, const struct share *other, struct problem *problem)
{
    const struct volume *a = &first->head.volume, *b = &other->head.volume;
    if (memcmp(a->dim, b->dim, sizeof a->dim) != 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is a share of another input: its volume is %ux%ux%u, that of '%s' %ux%ux%u",
            other->path, b->dim[0], b->dim[1], b->dim[2], first->path, a->dim[0], a->dim[1],
            a->dim[2]);
    }
    if (a->type != b->type || a->file_type != b->file_type) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is a share of another input: its volume is %s, that of '%s' %s", other->path,
            volume_type_name(b->file_type), first->path, volume_type_name(a->file_type));
    }
    if (!shares_same_place(a, b)) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is a share of another input: its spacing, origin or direction are not those of "
            "'%s'",
            other->path, first->path);
    }
    if (first->head.iso != other->head.iso) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' is of isovalue %.17g, '%s' is of isovalue %.17g",
            other->path, other->head.iso, first->path, first->head.iso);
    }
    return first->end.sums[2] == other->end.sums[2] ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%s' is a share of another input: slice %u of its volume has other samples than in "
               "'%s'",
               other->path, a->dim[2] / 2, first->path);
}

// The shares that are not empty lie one above the other, from the bottom to the top.
static bool shares_cover(const struct shares *shares, struct problem *problem)
{
    const struct share *below = NULL;
    const uint32_t layers = shares->list[0].head.volume.dim[2] - 1;
    for (size_t i = 0; i < shares->count; i++) {
        const struct share *share = &shares->list[i];
        const uint32_t from = share->head.from, at = below ? below->head.to : 0;
        if (from == share->head.to) {
            continue;
        }
        if (from > at) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "layers %u to %u of %u are in no share: '%s' begins above them; name their share, "
                "too",
                at, from - 1, layers, share->path);
        }
        if (from < at) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s' has layers %u to %u, and '%s' has layers %u to %u: each layer may be in one "
                "share only",
                share->path, from, share->head.to - 1, below->path, below->head.from, at - 1);
        }
        if (below && below->end.sums[1] != share->end.sums[0]) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s' and '%s' are shares of different inputs: slice %u, which both have, has "
                "other samples",
                below->path, share->path, at);
        }
        below = share;
    }
    const uint32_t top = below ? below->head.to : 0;
    return top == layers ||
           problem_set(
               problem, PROBLEM_INPUT,
               "layers %u to %u of %u are in no share: '%s' ends below them; name their share, too",
               top, layers - 1, layers, below ? below->path : shares->list[0].path);
}

static void shares_warn(const struct shares *shares, const struct share *first)
{
    for (size_t i = 0; i < shares->count; i++) {
        const struct share_head *a = &first->head, *b = &shares->list[i].head;
        if (a->input_bytes && b->input_bytes &&
            (a->input_bytes != b->input_bytes || a->input_time != b->input_time)) {
            log_warn(
                "when '%s' was made, the input had another size or time than for '%s'; this is "
                "right only if it was a copy, or was not changed",
                shares->list[i].path, first->path);
            return;
        }
    }
}

static bool shares_begin(struct shares *shares, const char *const *paths, struct problem *problem)
{
    for (size_t i = 0; i < shares->count; i++) {
        struct share *share = &shares->list[i];
        if (!share_open(paths[i], share, problem) ||
            !shares_match(&shares->list[0], share, problem)) {
            return false;
        }
        shares->vertex_count += share->end.vertices;
        shares->triangle_count += share->end.triangles;
        shares->active_cells += share->end.active_cells;
        shares->piece_count += share->end.pieces;
        shares->bytes += share->stamp.size;
    }
    const struct share first = shares->list[0];
    qsort(shares->list, shares->count, sizeof *shares->list, shares_compare);
    if (!shares_cover(shares, problem)) {
        return false;
    }
    shares_warn(shares, &first);
    return true;
}

bool shares_open(
    const char *const *paths, size_t count, struct shares *out, struct problem *problem)
{
    assert(count > 0);
    *out = (struct shares){ .count = count, .list = calloc(count, sizeof *out->list) };
    if (!out->list) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory opening shares");
    }
    if (!shares_begin(out, paths, problem)) {
        shares_close(out);
        return false;
    }
    return true;
}

void shares_close(struct shares *shares)
{
    for (int i = 0; i < SHARES_OPEN; i++) {
        if (shares->open[i].share) {
            source_close(&shares->open[i].source);
        }
    }
    for (size_t i = 0; i < shares->count && shares->list; i++) {
        share_close(&shares->list[i]);
    }
    mesh_pages_free(&shares->pages);
    free(shares->pieces);
    free(shares->list);
    *shares = (struct shares){ 0 };
}

// ---- the mesh ----

// The triangles of a piece may name vertices of the next one: it must begin with just these.
static bool shares_join(const struct shares *shares, uint64_t at, struct problem *problem)
{
    static const struct shares_piece none;
    const struct shares_piece *below = &shares->pieces[at];
    const struct shares_piece *above = at + 1 < shares->piece_count ? below + 1 : &none;
    const bool touch = above->piece.first == below->piece.first + below->piece.layers;
    if (below->piece.foreign == (touch ? above->piece.lowest : 0)) {
        return true;
    }
    const char *path = shares->list[below->share].path;
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' and '%s' do not fit: layer %u of the first ends with %" PRIu64
        " vertices, the next layer of the second begins with %" PRIu64
        "; make both again with cubist extract --share",
        path, at + 1 < shares->piece_count ? shares->list[above->share].path : path,
        below->piece.first + below->piece.layers - 1, below->piece.foreign,
        touch ? above->piece.lowest : 0);
}

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

// The piece with this vertex, or this triangle.
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

// Reads up to `count` records of one piece, from number `first` of the mesh on, and sets *count to
// how many these are.
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

// Corners that no vertex has are refused: a file may be changed in place between two looks at it.
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

bool shares_check(struct shares *shares, const struct progress *progress, struct problem *problem)
{
    free(shares->pieces);
    shares->pieces = calloc(shares->piece_count + 1, sizeof *shares->pieces);
    if (!shares->pieces) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory joining shares");
    }
    uint64_t before = 0, at = 0, vertices = 0, triangles = 0;
    for (size_t i = 0; i < shares->count; i++) {
        struct share *share = &shares->list[i];
        if (!share_check(share, progress, before, shares->bytes, problem)) {
            return false;
        }
        before += share->stamp.size;
        for (uint64_t p = 0; p < share->end.pieces; p++) {
            shares->pieces[at++] = (struct shares_piece){
                .piece = share->pieces[p],
                .share = i,
                .first_vertex = vertices,
                .first_triangle = triangles,
            };
            vertices += share->pieces[p].own;
            triangles += share->pieces[p].triangles;
        }
    }
    for (uint64_t i = 0; i < shares->piece_count; i++) {
        if (!shares_join(shares, i, problem)) {
            return false;
        }
    }
    shares->source = (struct mesh_source){
        .vertex_count = shares->vertex_count,
        .triangle_count = shares->triangle_count,
        .vertices = shares_fetch_vertices,
        .triangles = shares_fetch_triangles,
        .position = shares_fetch_position,
        .user = shares,
    };
    return true;
}

const struct mesh_source *shares_source(struct shares *shares)
{
    return &shares->source;
}

// ---- facts ----

// A piece in memory, with the vertices of the next one that it names.
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
    struct mesh_tally tally = { 0 };
    bool fine = true;
    memcpy(tally.dim, shares->list[0].head.volume.dim, sizeof tally.dim);
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
