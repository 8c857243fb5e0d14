// First every file is looked at: is it there, is it large enough? Then the volume is created, then
// the files are read one after the other, chunk by chunk.
#include "volumes/payload.h"

#include "volumes/readers.h"
#include "volumes/size.h"
#include "volumes/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CHUNK  ((size_t)1 << 22) // bytes of the file's samples between two reports of progress
#define WINDOW ((size_t)1 << 16) // bytes of text at a time
#define WORD   64                // bytes of a number in text, with its end

// One file while it is read: decoded bytes on their way.
struct stream {
    struct source *source;
    const struct payload *payload;
    unsigned char *window; // text and hex: WINDOW bytes of the file
    size_t at, size;       // of the window
    size_t room;           // bytes of the buffer for decoded samples, at most CHUNK
};

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static bool short_of(
    const struct source *source, uint64_t has, uint64_t needs, const char *what,
    struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' has %" PRIu64 " byte%s %s, but the header asks for %" PRIu64
        "; the file is cut short or the header's sizes are wrong",
        source->path, has, plural(has), what, needs);
}

// Where `lines` lines behind `at` end.
static bool skip_lines(struct source *source, uint64_t lines, uint64_t *at, struct problem *problem)
{
    char window[8192];
    while (lines > 0) {
        const size_t size = source_peek_at(source, *at, window, sizeof window);
        if (size == 0) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s' ends %" PRIu64 " line%s before the samples that the header speaks of",
                source->path, lines, plural(lines));
        }
        const char *next = window;
        for (; lines > 0; lines--) {
            const char *end = memchr(next, '\n', (size_t)(window + size - next));
            if (!end) {
                next = window + size;
                break;
            }
            next = end + 1;
        }
        *at += (uint64_t)(next - window);
    }
    return true;
}

// Puts the source where its samples begin and checks that it has the bytes for `count` of them;
// `warn`: says where it has more.
static bool place(
    struct source *source, const struct payload *payload, uint64_t count, bool warn,
    struct problem *problem)
{
    const bool plain = payload->encoding == PAYLOAD_RAW;
    const uint64_t most = source->size;
    uint64_t needed, begin = payload->offset, end = most;
    if (!size_product(count, sample_size(&payload->format), &needed)) {
        needed = UINT64_MAX;
    }
    if (payload->at_end) {
        if (needed > most) {
            return short_of(source, most, needed, "in all", problem);
        }
        begin = most - needed;
    } else if (begin > most) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': its samples should begin at byte %" PRIu64 ", but it has %" PRIu64 " byte%s",
            source->path, begin, most, plural(most));
    }
    if (payload->length > 0) {
        if (payload->length > most - begin) {
            return short_of(source, most - begin, payload->length, "of encoded samples", problem);
        }
        end = begin + payload->length;
    }
    if (!skip_lines(source, payload->line_skip, &begin, problem)) {
        return false;
    }
    // What a sample takes at least: deflate does not do better than 1032:1, a text has a digit and
    // a blank, hex two digits per byte.
    if (plain || payload->encoding == PAYLOAD_TEXT || payload->encoding == PAYLOAD_HEX) {
        if (begin > end || payload->byte_skip > end - begin) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': %" PRIu64 " bytes are to be skipped, but only %" PRIu64 " are there",
                source->path, payload->byte_skip, begin > end ? 0 : end - begin);
        }
        begin += payload->byte_skip;
    }
    const uint64_t has = begin > end ? 0 : end - begin;
    if (plain && has < needed) {
        return short_of(source, has, needed, "of samples", problem);
    }
    if (payload->encoding == PAYLOAD_DEFLATE && (has == 0 || has < needed / 1032)) {
        return short_of(source, has, needed, "of compressed samples, too few", problem);
    }
    if (payload->encoding == PAYLOAD_TEXT && has / 2 + has % 2 < count) {
        return short_of(source, has, 2 * count - 1, "of text, too few", problem);
    }
    if (payload->encoding == PAYLOAD_HEX && has / 2 < needed) {
        return short_of(
            source, has, needed < UINT64_MAX / 2 ? 2 * needed : needed, "of hex digits", problem);
    }
    uint64_t all;
    if (plain && !payload->length &&
        size_product(needed, payload->frames + !payload->frames, &all)) {
        if (has < all) {
            return short_of(source, has, all, "of samples", problem);
        }
        if (warn && has > all) {
            volume_warn(
                "'%s' has %" PRIu64 " byte%s behind its samples, passed over", source->path,
                has - all, plural(has - all));
        }
    }
    return source_confine(source, begin, end, problem);
}

// The next byte of the file, -1 at its end or on an error (then `failed`).
static int next_byte(struct stream *stream, bool *failed, struct problem *problem)
{
    if (stream->at == stream->size) {
        stream->at = 0;
        stream->size = 0;
        if (!source_read(stream->source, stream->window, WINDOW, &stream->size, problem)) {
            *failed = true;
            return -1;
        }
        if (stream->size == 0) {
            return -1;
        }
    }
    return stream->window[stream->at++];
}

static bool ends_early(const struct stream *stream, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' ends before the last of the samples that its header asks for; the file is cut short "
        "or the header's sizes are wrong",
        stream->source->path);
}

static bool take_hex(struct stream *stream, void *bytes, size_t size, struct problem *problem)
{
    unsigned char *out = bytes;
    for (size_t i = 0; i < 2 * size;) {
        bool failed = false;
        const int byte = next_byte(stream, &failed, problem);
        if (byte < 0) {
            return failed ? false : ends_early(stream, problem);
        }
        if (isxdigit(byte)) {
            const int digit = byte <= '9' ? byte - '0' : (byte | 32) - 'a' + 10;
            out[i / 2] = (unsigned char)(i % 2 ? out[i / 2] | digit : digit << 4);
            i++;
        } else if (!isspace(byte)) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': byte 0x%02x among its samples is no hex digit",
                stream->source->path, byte);
        }
    }
    return true;
}

// The next word of a text; false at the end and on an error, which both fill `problem`.
static bool take_word(struct stream *stream, char word[WORD], struct problem *problem)
{
    size_t length = 0;
    for (;;) {
        bool failed = false;
        const int byte = next_byte(stream, &failed, problem);
        if (failed) {
            return false;
        }
        if (byte < 0 || isspace(byte) || byte == ',') {
            if (length > 0) {
                break;
            }
            if (byte < 0) {
                return ends_early(stream, problem);
            }
            continue;
        }
        if (length == WORD - 1 || byte == 0) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': its samples should be text; '%.*s...' is no number",
                stream->source->path, (int)length, word);
        }
        word[length++] = (char)byte;
    }
    word[length] = 0;
    return true;
}

// The limits of integer samples, by type.
static const double lowest[] = {
    [VOLUME_UINT8] = 0,         [VOLUME_INT8] = INT8_MIN, [VOLUME_UINT16] = 0,
    [VOLUME_INT16] = INT16_MIN, [VOLUME_UINT32] = 0,      [VOLUME_INT32] = INT32_MIN,
};
static const double highest[] = {
    [VOLUME_UINT8] = UINT8_MAX, [VOLUME_INT8] = INT8_MAX,     [VOLUME_UINT16] = UINT16_MAX,
    [VOLUME_INT16] = INT16_MAX, [VOLUME_UINT32] = UINT32_MAX, [VOLUME_INT32] = INT32_MAX,
};

// Parses one number into the file's type, in host order.
static bool put_word(
    const struct sample_format *format, const char *word, void *bytes, size_t i, const char **why)
{
    double value;
    if (!text_real(word, &value)) {
        *why = "is no number";
        return false;
    }
    const bool floats = format->type == VOLUME_FLOAT32 || format->type == VOLUME_FLOAT64;
    if (floats && isinf(value) && isdigit((unsigned char)word[strcspn(word, "0123456789iInN")])) {
        *why = "is too large for float64";
        return false;
    }
    if (!floats && !(value >= lowest[format->type] && value <= highest[format->type])) {
        *why = "is out of the range of its type";
        return false;
    }
    if (!floats && value != floor(value)) {
        *why = "is no whole number";
        return false;
    }
    switch (format->type) {
    case VOLUME_UINT8:
        ((uint8_t *)bytes)[i] = (uint8_t)value;
        break;
    case VOLUME_INT8:
        ((int8_t *)bytes)[i] = (int8_t)value;
        break;
    case VOLUME_UINT16:
        ((uint16_t *)bytes)[i] = (uint16_t)value;
        break;
    case VOLUME_INT16:
        ((int16_t *)bytes)[i] = (int16_t)value;
        break;
    case VOLUME_UINT32:
        if (format->wide) {
            ((uint64_t *)bytes)[i] = (uint64_t)value;
        } else {
            ((uint32_t *)bytes)[i] = (uint32_t)value;
        }
        break;
    case VOLUME_INT32:
        if (format->wide) {
            ((int64_t *)bytes)[i] = (int64_t)value;
        } else {
            ((int32_t *)bytes)[i] = (int32_t)value;
        }
        break;
    case VOLUME_FLOAT32:
        ((float *)bytes)[i] = (float)value;
        break;
    default:
        ((double *)bytes)[i] = value;
    }
    return true;
}

static bool take_text(struct stream *stream, void *bytes, size_t count, struct problem *problem)
{
    for (size_t i = 0; i < count; i++) {
        char word[WORD];
        const char *why;
        if (!take_word(stream, word, problem)) {
            return false;
        }
        if (!put_word(&stream->payload->format, word, bytes, i, &why)) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': '%s' among its samples %s", stream->source->path,
                word, why);
        }
    }
    return true;
}

// The next `count` samples as the file has them (text: in host order).
static bool take(struct stream *stream, void *bytes, size_t count, struct problem *problem)
{
    const size_t size = count * sample_size(&stream->payload->format);
    size_t got;
    switch (stream->payload->encoding) {
    case PAYLOAD_TEXT:
        return take_text(stream, bytes, count, problem);
    case PAYLOAD_HEX:
        return take_hex(stream, bytes, size, problem);
    case PAYLOAD_RAW:
    case PAYLOAD_DEFLATE:
        break;
    }
    return source_read(stream->source, bytes, size, &got, problem) &&
           (got == size || ends_early(stream, problem));
}

// The bytes that stand, decoded, before the samples of a compressed file.
static bool
skip_decoded(struct stream *stream, void *buffer, uint64_t skip, struct problem *problem)
{
    while (skip > 0) {
        const size_t wanted = skip < stream->room ? (size_t)skip : stream->room;
        size_t got;
        if (!source_read(stream->source, buffer, wanted, &got, problem)) {
            return false;
        }
        if (got < wanted) {
            return ends_early(stream, problem);
        }
        skip -= got;
    }
    return true;
}

// Reading on behind the last sample also checks the sum at the end of a compressed stream.
static bool check_end(struct stream *stream, struct problem *problem)
{
    char more;
    size_t got;
    if (stream->payload->encoding != PAYLOAD_DEFLATE || stream->payload->frames > 1) {
        return true;
    }
    if (!source_read(stream->source, &more, 1, &got, problem)) {
        return false;
    }
    if (got > 0) {
        volume_warn(
            "'%s' has, inflated, more bytes than its header asks for; they are passed over",
            stream->source->path);
    }
    return true;
}

// Opens file `i`, or takes the header's own; close with finish.
static bool start(
    struct source *header, const struct payload *payload, size_t i, struct source *own,
    struct source **out, struct problem *problem)
{
    *out = header;
    if (!payload->files) {
        return true;
    }
    *out = own;
    return sidecar_open(header->path, payload->files->names[i], own, problem);
}

static void finish(const struct payload *payload, struct source *own)
{
    if (payload->files) {
        sidecar_close(own);
    }
}

static bool read_file(
    struct stream *stream, struct samples *samples, uint64_t count, void *buffer,
    const struct volume_params *params, struct problem *problem)
{
    const struct payload *payload = stream->payload;
    const uint64_t total = volume_count(samples->volume);
    const size_t most = stream->room / 8;
    if (payload->encoding == PAYLOAD_DEFLATE &&
        (!source_inflate(stream->source, problem) ||
         !skip_decoded(stream, buffer, payload->byte_skip, problem))) {
        return false;
    }
    while (count > 0) {
        const size_t n = count < most ? (size_t)count : most;
        if (!take(stream, buffer, n, problem) || !samples_put(samples, buffer, n, problem) ||
            !progress_report(params->progress, samples->path, samples->done, total, problem)) {
            return false;
        }
        count -= n;
    }
    return check_end(stream, problem);
}

// Is this file the one that is about to be written?
static bool is_target(const struct source *source, const char *target)
{
    struct stat there, here;
    return target && stat(target, &there) == 0 && fstat(source->fd, &here) == 0 &&
           there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

// Looks at every file before memory is asked for.
static bool check_files(
    struct source *header, const struct payload *payload, uint64_t share,
    const struct volume_params *params, struct problem *problem)
{
    for (size_t i = 0; payload->files && i < payload->files->count; i++) {
        struct source own, *source;
        if (!start(header, payload, i, &own, &source, problem)) {
            return false;
        }
        const bool ok =
            is_target(source, params->target)
                ? problem_set(
                      problem, PROBLEM_USAGE,
                      "'%s' holds the samples of '%s': the output needs a name of its own",
                      params->target, header->path)
                : place(source, payload, share, i == 0, problem);
        finish(payload, &own);
        if (!ok) {
            return false;
        }
    }
    return payload->files || place(header, payload, share, true, problem);
}

static bool read_files(
    struct source *header, const struct payload *payload, uint64_t share, struct samples *samples,
    const struct volume_params *params, struct problem *problem)
{
    const bool words = payload->encoding == PAYLOAD_TEXT || payload->encoding == PAYLOAD_HEX;
    const size_t files = payload->files ? payload->files->count : 1;
    struct stream stream = { .payload = payload, .window = words ? malloc(WINDOW) : NULL };
    stream.room = share < CHUNK / 8 ? 8 * (size_t)share : CHUNK;
    void *buffer = malloc(stream.room);
    bool ok = buffer && (stream.window || !words);
    if (!ok) {
        problem_set(problem, PROBLEM_DEVICE, "out of memory reading '%s'", header->path);
    }
    for (size_t i = 0; ok && i < files; i++) {
        struct source own;
        ok = start(header, payload, i, &own, &stream.source, problem);
        if (ok) {
            stream.at = stream.size = 0;
            ok = (!payload->files || place(stream.source, payload, share, false, problem)) &&
                 read_file(&stream, samples, share, buffer, params, problem);
            finish(payload, &own);
        }
    }
    free(stream.window);
    free(buffer);
    return ok;
}

bool payload_read(
    struct source *header, const struct payload *described, const struct volume_params *params,
    struct volume *out, struct problem *problem)
{
    struct payload first = *described;
    const struct payload *payload = &first;
    struct sidecar_list list;
    struct samples samples;
    struct sample_format format = payload->format;
    *out = (struct volume){ 0 };
    // Several volumes in several files: the files of the first.
    if (first.frames > 1 && first.files && first.files->count > 1) {
        if (first.files->count % first.frames != 0) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s' names %zu files for %" PRIu64 " volumes",
                header->path, first.files->count, first.frames);
        }
        list = (struct sidecar_list){ first.files->names, first.files->count / first.frames };
        first.files = &list;
        first.frames = 1;
    }
    const size_t files = payload->files ? payload->files->count : 1;
    if (payload->encoding == PAYLOAD_TEXT) { // parsed into the host's order
        format.order =
            __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? BYTE_ORDER_LITTLE : BYTE_ORDER_BIG;
    }
    if (!samples_begin(
            header->path, payload->dim, &format, params->max_bytes, NULL, &samples, problem)) {
        return false;
    }
    const uint64_t count = payload->dim[0] * payload->dim[1] * payload->dim[2];
    if (files == 0 || files > PAYLOAD_FILES_MOST || count % files != 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' names %zu files, which cannot share its %" PRIu64 " slices evenly", header->path,
            files, payload->dim[2]);
    }
    if (!check_files(header, payload, count / files, params, problem) ||
        !progress_report(params->progress, header->path, 0, count, problem) ||
        !samples_begin(
            header->path, payload->dim, &format, params->max_bytes, out, &samples, problem)) {
        return false;
    }
    if (!read_files(header, payload, count / files, &samples, params, problem)) {
        volume_destroy(out);
        return false;
    }
    samples_end(&samples);
    return true;
}
