// The pieces of a share: found by reading all of the file, or by the pieces' heads alone.
#include "compute/mesh/share.h"

#include "compute/mesh/share_format.h"
#include "volumes/base/input.h"

#include <stdlib.h>

// The state of reading a share from front to back.
struct share_check {
    const struct share *share;
    bool whole; // read everything; otherwise only heads of pieces and a few edges
    struct source source;
    uint64_t at, end; // the end of the share begins at `end`
    uint32_t crc;
    const struct progress *progress;
    uint64_t before, total; // for the progress
    uint64_t expected;      // probable number of vertices in the next piece's lowest slice
};

static bool
share_take(struct share_check *check, unsigned char *bytes, size_t size, struct problem *problem)
{
    if (size > check->end - check->at) {
        return share_refuse(check->share->path, "is cut short, or damaged", problem);
    }
    if (!share_read(&check->source, check->at, bytes, size, problem) ||
        !progress_report(
            check->progress, check->share->path, check->before + check->at, check->total,
            problem)) {
        return false;
    }
    check->crc = (uint32_t)crc32(check->crc, bytes, (uInt)size);
    check->at += size;
    return true;
}

// Reads `count` vertices for the checksum. Any bytes are valid floats, so nothing else is checked.
static bool share_take_vertices(struct share_check *check, uint64_t count, struct problem *problem)
{
    unsigned char bytes[MESH_BLOCK * RECORD_VERTEX];
    for (uint64_t first = 0; first < count; first += MESH_BLOCK) {
        if (!share_take(check, bytes, mesh_block(count, first) * RECORD_VERTEX, problem)) {
            return false;
        }
    }
    return true;
}

// Checks that edges ascend and lie in the piece. The volume's top piece also has the top slice.
static bool
share_take_edges(struct share_check *check, struct share_piece *piece, struct problem *problem)
{
    const struct share_head *head = &check->share->head;
    const uint64_t slice = share_slice_edges(&head->volume);
    const bool top = piece->first + piece->layers == head->volume.dim[2] - 1;
    const uint64_t slices = (uint64_t)piece->layers + top;
    unsigned char bytes[MESH_BLOCK * RECORD_NUMBER];
    uint64_t least = 0;
    bool fine = true;
    for (uint64_t first = 0; first < piece->own; first += MESH_BLOCK) {
        const size_t count = mesh_block(piece->own, first);
        if (!share_take(check, bytes, count * RECORD_NUMBER, problem)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            const uint64_t edge = get_bytes(bytes + i * RECORD_NUMBER, RECORD_NUMBER);
            fine = fine && edge >= least && edge / slice < slices;
            piece->lowest += edge < slice;
            least = edge + 1;
        }
    }
    return fine ||
           share_refuse(check->share->path, "is damaged: vertices are out of order", problem);
}

static bool share_take_triangles(
    struct share_check *check, const struct share_piece *piece, struct problem *problem)
{
    unsigned char bytes[MESH_BLOCK * RECORD_FACE];
    bool fine = true;
    for (uint64_t first = 0; first < piece->triangles; first += MESH_BLOCK) {
        const size_t count = mesh_block(piece->triangles, first);
        if (!share_take(check, bytes, count * RECORD_FACE, problem)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            uint64_t corners[3];
            get_face(bytes + i * RECORD_FACE, corners);
            for (int k = 0; k < 3; k++) {
                fine = fine && corners[k] < piece->own + piece->foreign;
            }
            fine = fine && corners[0] < piece->own;
        }
    }
    return fine || share_refuse(
                       check->share->path,
                       "is damaged: a triangle names a vertex that is not there", problem);
}

// Decodes and checks the head of a piece. check->at is the byte behind it.
static bool share_get_piece(
    const struct share_check *check, const unsigned char bytes[SHARE_PIECE], uint32_t from,
    struct share_piece *piece, struct problem *problem)
{
    const struct share_head *head = &check->share->head;
    *piece = (struct share_piece){
        .first = (uint32_t)get_bytes(bytes + 4, 4),
        .layers = (uint32_t)get_bytes(bytes + 8, 4),
        .own = get_bytes(bytes + 16, 8),
        .foreign = get_bytes(bytes + 24, 8),
        .triangles = get_bytes(bytes + 32, 8),
        .at = check->at,
    };
    if (get_bytes(bytes, 4) != SHARE_PIECE_MARK || piece->first < from ||
        piece->first >= head->to || piece->layers == 0 || piece->layers > head->to - piece->first ||
        piece->foreign >= SHARE_NUMBER_MOST) {
        return share_refuse(check->share->path, "is damaged", problem);
    }
    // The counts must not exceed what is left of the file.
    const uint64_t left = check->end - check->at;
    if (piece->own > left / (RECORD_VERTEX + RECORD_NUMBER) ||
        piece->triangles > (left - piece->own * (RECORD_VERTEX + RECORD_NUMBER)) / RECORD_FACE) {
        return share_refuse(check->share->path, "is cut short, or damaged", problem);
    }
    return true;
}

// Sets piece->lowest by bisection in its ascending edges.
static bool
share_find_lowest(struct share_check *check, struct share_piece *piece, struct problem *problem)
{
    const uint64_t slice = share_slice_edges(&check->share->head.volume);
    const uint64_t edges = piece->at + piece->own * RECORD_VERTEX;
    uint64_t low = 0, high = piece->own, look = check->expected;
    while (low < high) {
        // Reads vertices look - 1 and look, if they exist.
        look = look < low ? low : look > high ? high : look;
        const uint64_t first = look > low ? look - 1 : look;
        const size_t count = look > low && look < high ? 2 : 1;
        unsigned char bytes[2 * RECORD_NUMBER];
        if (!share_read(
                &check->source, edges + first * RECORD_NUMBER, bytes, count * RECORD_NUMBER,
                problem)) {
            return false;
        }
        for (size_t i = 0; i < count && first + i < high; i++) {
            if (get_bytes(bytes + i * RECORD_NUMBER, RECORD_NUMBER) < slice) {
                low = first + i + 1;
            } else {
                high = first + i;
            }
        }
        look = low + (high - low) / 2;
    }
    piece->lowest = low;
    return true;
}

static bool share_take_piece(
    struct share_check *check, uint32_t from, struct share_piece *piece, struct problem *problem)
{
    unsigned char bytes[SHARE_PIECE];
    if (!share_take(check, bytes, sizeof bytes, problem) ||
        !share_get_piece(check, bytes, from, piece, problem)) {
        return false;
    }
    if (check->whole) {
        return share_take_vertices(check, piece->own, problem) &&
               share_take_edges(check, piece, problem) &&
               share_take_triangles(check, piece, problem);
    }
    if (!share_find_lowest(check, piece, problem)) {
        return false;
    }
    check->at += piece->own * (RECORD_VERTEX + RECORD_NUMBER) + piece->triangles * RECORD_FACE;
    check->expected = piece->foreign;
    return true;
}

// Reads all pieces. Their totals must equal the totals in the file's end.
static bool share_take_pieces(struct share_check *check, struct problem *problem)
{
    const struct share *share = check->share;
    uint64_t vertices = 0, triangles = 0;
    uint32_t from = share->head.from;
    for (uint64_t i = 0; i < share->end.pieces; i++) {
        struct share_piece *piece = &share->pieces[i];
        if (!share_take_piece(check, from, piece, problem)) {
            return false;
        }
        vertices += piece->own;
        triangles += piece->triangles;
        from = piece->first + piece->layers;
    }
    return (check->at == check->end && vertices == share->end.vertices &&
            triangles == share->end.triangles) ||
           share_refuse(share->path, "is damaged: its totals do not match its contents", problem);
}

static bool share_take_all(struct share_check *check, struct problem *problem)
{
    const struct share *share = check->share;
    unsigned char bytes[SHARE_HEAD], crc[4];
    if (!check->whole) {
        check->at = SHARE_HEAD;
        return share_take_pieces(check, problem);
    }
    if (!share_take(check, bytes, SHARE_HEAD, problem) || !share_take_pieces(check, problem)) {
        return false;
    }
    check->end += SHARE_END - 4;
    if (!share_take(check, bytes, SHARE_END - 4, problem) ||
        !share_read(&check->source, check->at, crc, sizeof crc, problem)) {
        return false;
    }
    return get_bytes(crc, 4) == check->crc ||
           share_refuse(
               share->path, "is damaged: its checksum does not match its contents", problem);
}

// Opens the file, allocates its pieces, and finds them.
static bool share_walk(struct share *share, struct share_check *check, struct problem *problem)
{
    check->share = share;
    check->end = share->stamp.size - SHARE_END;
    free(share->pieces);
    share->pieces = calloc(share->end.pieces + 1, sizeof *share->pieces);
    if (!share->pieces) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", share->path);
    }
    if (!share_reopen(share, &check->source, problem)) {
        return false;
    }
    const bool fine = share_take_all(check, problem);
    source_close(&check->source);
    return fine;
}

bool share_check(
    struct share *share, const struct progress *progress, uint64_t before, uint64_t total,
    struct problem *problem)
{
    struct share_check check = {
        .whole = true,
        .progress = progress,
        .before = before,
        .total = total,
    };
    return share_walk(share, &check, problem);
}

bool share_index(struct share *share, uint64_t expected, struct problem *problem)
{
    struct share_check check = { .expected = expected };
    return share_walk(share, &check, problem);
}
