#include "compute/mesh/share.h"

#include "compute/mesh/share_format.h"
#include "volumes/base/input.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

bool share_refuse(const char *path, const char *why, struct problem *problem)
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
    source_seek(source, at);
    return source_read(source, bytes, size, &got, problem) &&
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

// Whether all values of the head are possible. cubist writes only such heads.
static bool share_head_valid(const struct share_head *head)
{
    const struct volume *volume = &head->volume;
    uint64_t edges = 3;
    bool fine = isfinite(head->iso) && volume->type < VOLUME_TYPES &&
                volume->type != VOLUME_FLOAT64 && volume->file_type <= VOLUME_FLOAT16 &&
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
    // Counts are at most what the file can hold: so sums do not overflow, and memory is bounded.
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

static bool share_same_place(const struct volume *a, const struct volume *b)
{
    return a->frame == b->frame && memcmp(a->spacing, b->spacing, sizeof a->spacing) == 0 &&
           memcmp(a->origin, b->origin, sizeof a->origin) == 0 &&
           memcmp(a->direction, b->direction, sizeof a->direction) == 0;
}

bool share_head_matches(
    const char *path, const struct share_head *own, const struct share_head *head,
    const char *whose, struct problem *problem)
{
    const struct volume *a = &head->volume, *b = &own->volume;
    if (memcmp(a->dim, b->dim, sizeof a->dim) != 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is a share of another input: its volume is %ux%ux%u, that of %s %ux%ux%u", path,
            b->dim[0], b->dim[1], b->dim[2], whose, a->dim[0], a->dim[1], a->dim[2]);
    }
    if (a->type != b->type || a->file_type != b->file_type) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is a share of another input: its volume is %s, that of %s %s", path,
            volume_type_name(b->file_type), whose, volume_type_name(a->file_type));
    }
    if (!share_same_place(a, b)) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is a share of another input: its spacing, origin or direction are not those of "
            "%s",
            path, whose);
    }
    return head->iso == own->iso ||
           problem_set(
               problem, PROBLEM_INPUT, "'%s' is of isovalue %.17g, %s is of isovalue %.17g", path,
               own->iso, whose, head->iso);
}

bool share_matches(
    const struct share *share, const struct share_head *head, uint32_t middle, const char *whose,
    struct problem *problem)
{
    if (!share_head_matches(share->path, &share->head, head, whose, problem)) {
        return false;
    }
    return middle == share->end.sums[2] ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%s' is a share of another input: slice %u of its volume has other samples than in "
               "%s",
               share->path, head->volume.dim[2] / 2, whose);
}

void share_close(struct share *share)
{
    free(share->pieces);
    *share = (struct share){ 0 };
}

bool share_is_damaged(const char *path, struct share_head *head, bool *sound)
{
    unsigned char bytes[SHARE_HEAD];
    struct source source;
    if (!source_open(path, &source, NULL)) {
        return false;
    }
    const size_t got = source_peek(&source, bytes, sizeof bytes);
    const size_t same = got < SHARE_SIGNATURE_SIZE ? got : SHARE_SIGNATURE_SIZE;
    const bool read = source_sound(&source, NULL);
    source_close(&source);
    if (!read || memcmp(bytes, SHARE_SIGNATURE, same) != 0) {
        return false;
    }
    if (got < SHARE_HEAD ||
        crc32(0, bytes, SHARE_HEAD - 4) != get_bytes(bytes + SHARE_HEAD - 4, 4)) {
        *sound = false;
        return true;
    }
    *sound = true;
    return share_get_head(path, bytes, head, NULL);
}
