#include "compute/mesh/share.h"

#include "compute/mesh/share_format.h"
#include "volumes/base/input.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static bool share_refuse(const char *path, const char *why, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT, "'%s' %s; make this share again with cubist extract --share", path,
        why);
}

bool share_read(
    struct source *source, uint64_t at, void *bytes, size_t size, struct problem *problem)
{
    size_t got = 0;
    if (at > source->size || size > source->size - at) {
        return share_refuse(source->path, "is cut short", problem);
    }
    return source_seek(source, at, problem) && source_read(source, bytes, size, &got, problem) &&
           (got == size || share_refuse(source->path, "is cut short", problem));
}

static const unsigned char *get_doubles(const unsigned char *at, double *values, int count)
{
    for (int i = 0; i < count; i++, at += 8) {
        const uint64_t word = get_bytes(at, 8);
        memcpy(&values[i], &word, sizeof word);
    }
    return at;
}

// Whether all of the head is possible. Only a head that no cubist wrote is not.
static bool share_head_valid(const struct share_head *head)
{
    const struct volume *volume = &head->volume;
    uint64_t edges = 3;
    bool fine = isfinite(head->iso) && volume->type < VOLUME_TYPES &&
                volume->type != VOLUME_FLOAT64 && volume->file_type < VOLUME_TYPES &&
                volume->frame <= VOLUME_FRAME_RAS;
    for (int k = 0; k < 3; k++) {
        fine = fine && volume->dim[k] >= 2 && isfinite(volume->spacing[k]) &&
               volume->spacing[k] > 0 && isfinite(volume->origin[k]) &&
               !__builtin_mul_overflow(edges, volume->dim[k], &edges);
    }
    for (int i = 0; i < 9; i++) {
        fine = fine && isfinite(volume->direction[i]);
    }
    return fine && head->from <= head->to && head->to < volume->dim[2];
}

static bool share_get_head(
    const char *path, const unsigned char bytes[SHARE_HEAD], struct share_head *out,
    struct problem *problem)
{
    struct volume *volume = &out->volume;
    const unsigned char *at = bytes + SHARE_SIGNATURE_SIZE;
    const uint32_t version = (uint32_t)get_bytes(at, 4);
    if (crc32(0, bytes, SHARE_HEAD - 4) != get_bytes(bytes + SHARE_HEAD - 4, 4)) {
        return share_refuse(path, "is damaged in its first 256 bytes", problem);
    }
    if (version != SHARE_VERSION) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is a share of version %u, and this cubist knows version %u; use the same cubist "
            "for the shares and for merge",
            path, version, SHARE_VERSION);
    }
    out->from = (uint32_t)get_bytes(at + 4, 4);
    out->to = (uint32_t)get_bytes(at + 8, 4);
    for (int k = 0; k < 3; k++) {
        volume->dim[k] = (uint32_t)get_bytes(at + 12 + 4 * k, 4);
    }
    volume->type = (enum volume_type)get_bytes(at + 24, 4);
    volume->file_type = (enum volume_type)get_bytes(at + 28, 4);
    volume->frame = (enum volume_frame)get_bytes(at + 32, 4);
    at = get_doubles(at + 36, volume->spacing, 3);
    at = get_doubles(at, volume->origin, 3);
    at = get_doubles(at, volume->direction, 9);
    at = get_doubles(at, &out->iso, 1);
    out->input_bytes = get_bytes(at, 8);
    out->input_time = (int64_t)get_bytes(at + 8, 8);
    return share_head_valid(out) || share_refuse(path, "says what cannot be", problem);
}

static bool share_get_ends(struct share *out, struct source *source, struct problem *problem)
{
    unsigned char bytes[SHARE_HEAD];
    const size_t got = source_peek(source, bytes, sizeof bytes);
    const size_t same = got < SHARE_SIGNATURE_SIZE ? got : SHARE_SIGNATURE_SIZE;
    if (!source_sound(source, problem)) {
        return false;
    }
    if (same == 0 || memcmp(bytes, SHARE_SIGNATURE, same) != 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is not a share; expected a file of cubist extract --share%s", out->path,
            same == 0 ? ", and it is empty" : "");
    }
    if (source->size < SHARE_HEAD + SHARE_END) {
        return share_refuse(out->path, "is cut short", problem);
    }
    if (!share_get_head(out->path, bytes, &out->head, problem) ||
        !share_read(source, source->size - SHARE_END, bytes, SHARE_END, problem)) {
        return false;
    }
    if (get_bytes(bytes, 4) != SHARE_END_MARK) {
        return share_refuse(out->path, "is cut short, or more follows it", problem);
    }
    out->end = (struct share_end){
        .vertices = get_bytes(bytes + 8, 8),
        .triangles = get_bytes(bytes + 16, 8),
        .pieces = get_bytes(bytes + 24, 8),
        .active_cells = get_bytes(bytes + 32, 8),
    };
    for (int i = 0; i < SHARE_SUMS; i++) {
        out->end.sums[i] = (uint32_t)get_bytes(bytes + 40 + 4 * i, 4);
    }
    // As many as the file can hold: so sums over shares do not overflow, and memory is bounded.
    const uint64_t room = source->size;
    return (out->end.vertices <= room / RECORD_VERTEX && out->end.triangles <= room / RECORD_FACE &&
            out->end.pieces <= room / SHARE_PIECE) ||
           share_refuse(out->path, "is damaged at its end", problem);
}

bool share_open(const char *path, struct share *out, struct problem *problem)
{
    struct source source;
    *out = (struct share){ .path = path };
    if (!source_open(path, &source, problem)) {
        return false;
    }
    out->stamp = source.stamp;
    const bool fine = share_get_ends(out, &source, problem);
    source_close(&source);
    return fine;
}

bool share_reopen(const struct share *share, struct source *out, struct problem *problem)
{
    if (!source_open(share->path, out, problem)) {
        return false;
    }
    if (!source_unchanged(out, &share->stamp, problem)) {
        source_close(out);
        return false;
    }
    return true;
}

// A share that is read from front to back.
struct share_check {
    const struct share *share;
    struct source source;
    uint64_t at, end; // the end of the share begins at `end`
    uint32_t crc;
    const struct progress *progress;
    uint64_t before, total; // for the progress
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

// Passes over `count` records, which are all kinds of bytes.
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

// Edges ascend, and lie in the piece. A piece at the top of the volume has the top slice as well.
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

static bool share_take_piece(
    struct share_check *check, uint32_t from, struct share_piece *piece, struct problem *problem)
{
    const struct share_head *head = &check->share->head;
    unsigned char bytes[SHARE_PIECE];
    if (!share_take(check, bytes, sizeof bytes, problem)) {
        return false;
    }
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
    // The counts are bounded by what is left of the file.
    const uint64_t left = check->end - check->at;
    if (piece->own > left / (RECORD_VERTEX + RECORD_NUMBER) ||
        piece->triangles > (left - piece->own * (RECORD_VERTEX + RECORD_NUMBER)) / RECORD_FACE) {
        return share_refuse(check->share->path, "is cut short, or damaged", problem);
    }
    return share_take_vertices(check, piece->own, problem) &&
           share_take_edges(check, piece, problem) && share_take_triangles(check, piece, problem);
}

static bool
share_take_all(struct share_check *check, struct share_piece *pieces, struct problem *problem)
{
    const struct share *share = check->share;
    unsigned char bytes[SHARE_HEAD];
    uint64_t vertices = 0, triangles = 0;
    uint32_t from = share->head.from;
    if (!share_take(check, bytes, SHARE_HEAD, problem)) {
        return false;
    }
    for (uint64_t i = 0; i < share->end.pieces; i++) {
        if (!share_take_piece(check, from, &pieces[i], problem)) {
            return false;
        }
        vertices += pieces[i].own;
        triangles += pieces[i].triangles;
        from = pieces[i].first + pieces[i].layers;
    }
    const bool whole = check->at == check->end && vertices == share->end.vertices &&
                       triangles == share->end.triangles;
    check->end += SHARE_END - 4;
    unsigned char crc[4];
    if (!whole) {
        return share_refuse(share->path, "is damaged: its totals are others", problem);
    }
    if (!share_take(check, bytes, SHARE_END - 4, problem) ||
        !share_read(&check->source, check->at, crc, sizeof crc, problem)) {
        return false;
    }
    return get_bytes(crc, 4) == check->crc ||
           share_refuse(share->path, "is damaged: its checksum is another", problem);
}

bool share_check(
    struct share *share, const struct progress *progress, uint64_t before, uint64_t total,
    struct problem *problem)
{
    struct share_check check = {
        .share = share,
        .end = share->stamp.size - SHARE_END,
        .progress = progress,
        .before = before,
        .total = total,
    };
    free(share->pieces);
    share->pieces = calloc(share->end.pieces + 1, sizeof *share->pieces);
    if (!share->pieces) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", share->path);
    }
    if (!share_reopen(share, &check.source, problem)) {
        return false;
    }
    const bool fine = share_take_all(&check, share->pieces, problem);
    source_close(&check.source);
    return fine;
}

void share_close(struct share *share)
{
    free(share->pieces);
    *share = (struct share){ 0 };
}
