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

// Whether two shares are of the same surface, as far as heads and ends tell.
static bool
shares_match(const struct share *first, const struct share *other, struct problem *problem)
{
    char whose[sizeof problem->text];
    struct problem why;
    snprintf(whose, sizeof whose, "'%s'", first->path);
    return share_matches(other, &first->head, first->end.sums[2], whose, &why) ||
           problem_set(
               problem, why.kind,
               "%s; make one of them again: all shares need the same input and --iso", why.text);
}

// Checks that the shares that are not empty lie one above the other and cover the volume.
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

// ---- their pieces ----

// Checks that a piece may name exactly the vertices in the next piece's lowest slice.
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

// Finds the pieces of all shares. `whole`: reads everything; otherwise heads and a few edges.
static bool shares_find_pieces(
    struct shares *shares, bool whole, const struct progress *progress, struct problem *problem)
{
    uint64_t before = 0, at = 0, vertices = 0, triangles = 0;
    free(shares->pieces);
    shares->pieces = calloc(shares->piece_count + 1, sizeof *shares->pieces);
    if (!shares->pieces) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory joining shares");
    }
    for (size_t i = 0; i < shares->count; i++) {
        struct share *share = &shares->list[i];
        const uint64_t expected = at > 0 ? shares->pieces[at - 1].piece.foreign : 0;
        if (!(whole ? share_check(share, progress, before, shares->bytes, problem)
                    : share_index(share, expected, problem))) {
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
        free(share->pieces);
        share->pieces = NULL;
    }
    for (uint64_t i = 0; i < shares->piece_count; i++) {
        if (!shares_join(shares, i, problem)) {
            return false;
        }
    }
    return true;
}

bool shares_check(struct shares *shares, const struct progress *progress, struct problem *problem)
{
    return shares_find_pieces(shares, true, progress, problem);
}

bool shares_index(struct shares *shares, struct problem *problem)
{
    return shares_find_pieces(shares, false, NULL, problem);
}
