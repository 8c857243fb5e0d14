// payload_open checks that every file exists and is large enough. Samples are then read by ranges,
// chunk by chunk, with one file open at a time. A range of raw samples is read at its offset. An
// encoded range is decoded from where the last range ended, or from the start of its file.
#include "volumes/formats/payload.h"

#include "volumes/base/input.h"
#include "volumes/base/log.h"
#include "volumes/base/size.h"
#include "volumes/formats/raw_guess.h"
#include "volumes/formats/text.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK  ((size_t)1 << 22) // bytes of samples in the file between two reports of progress
#define WINDOW ((size_t)1 << 16) // bytes of text at a time
#define WORD   64                // bytes of a number in text, with the terminating zero

// Where the samples of a file lie.
struct payload_part {
    struct source_stamp stamp; // stamp of the file when the payload was opened
    uint64_t begin, end;       // offsets in the file between which the encoded samples lie
    uint64_t skip;             // decoded bytes to skip (deflate)
};

// One file while it is read, with its buffers.
struct payload_stream {
    struct source *source;
    const struct payload *payload;
    unsigned char window[WINDOW]; // bytes of the file (text, hex and runs only)
    size_t at, size;              // position in the window, and bytes in it
    size_t capacity;              // bytes of the buffer for decoded samples, at most CHUNK
    uint64_t blanks;              // blanks that separate nothing (text and hex only)
    uint64_t overflows;           // numbers that float32 cannot hold (text only)
    uint64_t run_bytes;           // bytes that are left of the slice (runs only)
    int run_left, run_value; // samples that are left of the run; their value, -1: each has its own
};

static const char *payload_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static bool payload_short_of(
    const struct source *source, uint64_t has, uint64_t needs, const char *what,
    struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' has %" PRIu64 " byte%s %s, but the header asks for %" PRIu64
        "; the file is cut short or the header's sizes are wrong",
        source->path, has, payload_plural(has), what, needs);
}

// Moves *at past the next `lines` lines.
static bool
payload_skip_lines(struct source *source, uint64_t lines, uint64_t *at, struct problem *problem)
{
    char window[1 << 16];
    while (lines > 0) {
        const size_t size = source_peek_at(source, *at, window, sizeof window);
        if (!input_go_on(source->path, problem) || !input_skips(source->path, size, problem)) {
            return false;
        }
        if (size == 0) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s' ends %" PRIu64 " line%s before the samples that the header announces",
                source->path, lines, payload_plural(lines));
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

// The samples are the last `needed` bytes of the inflated rest of the file. Sets *skip to the
// number of bytes before them.
static bool
payload_find_tail(struct source *source, uint64_t needed, uint64_t *skip, struct problem *problem)
{
    unsigned char scratch[1 << 14];
    uint64_t total = 0;
    if (!source_inflate(source, problem)) {
        return false;
    }
    for (size_t got = 1; got > 0; total += got) {
        if (!source_read(source, scratch, sizeof scratch, &got, problem) ||
            (total > needed && !input_skips(source->path, got, problem))) {
            return false;
        }
    }
    *skip = total - needed;
    return total >= needed ||
           payload_short_of(source, total, needed, "of samples, inflated", problem);
}

static bool payload_is_deflated(const struct payload *payload)
{
    return payload->packed || payload->encoding == PAYLOAD_DEFLATE;
}

// Finds where the samples begin and checks that the file has the bytes for `count` of them. With
// `warn` it warns if the file has more.
static bool payload_locate(
    struct source *source, const struct payload *payload, uint64_t count, bool warn,
    struct payload_part *out, struct problem *problem)
{
    const bool plain = payload->encoding == PAYLOAD_RAW;
    const bool deflated = payload_is_deflated(payload);
    const uint64_t most = source->size;
    const uint64_t needed =
        count * sample_size(&payload->format); // cannot overflow: samples_describe has run
    uint64_t all, begin = payload->offset, end = most;
    if (!size_product(needed, payload->frames + !payload->frames, &all)) {
        all = UINT64_MAX;
    }
    if (payload->at_end && plain) {
        if (all > most) {
            return payload_short_of(source, most, all, "in all", problem);
        }
        begin = most - all;
    } else if (begin > most) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': its samples should begin at byte %" PRIu64 ", but it has %" PRIu64 " byte%s",
            source->path, begin, most, payload_plural(most));
    }
    if (payload->length > 0) {
        if (payload->length > most - begin) {
            return payload_short_of(
                source, most - begin, payload->length, "of encoded samples", problem);
        }
        end = deflated ? end : begin + payload->length;
    }
    if (!payload_skip_lines(source, payload->line_skip, &begin, problem)) {
        return false;
    }
    // The fewest bytes that a sample can take: deflate compresses at most 1032:1, text needs a
    // digit and a blank, hex two digits per byte.
    if (!deflated) {
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
        return payload_short_of(source, has, needed, "of samples", problem);
    }
    const bool text = payload->encoding == PAYLOAD_TEXT, runs = payload->encoding == PAYLOAD_RUNS;
    if (deflated && (has == 0 || has < (text ? count : needed) / 1032 / (runs ? 64 : 1))) {
        return payload_short_of(source, has, needed, "of compressed samples, too few", problem);
    }
    if (text && !deflated && has / 2 + has % 2 < count) {
        return payload_short_of(source, has, 2 * count - 1, "of text, too few", problem);
    }
    if (payload->encoding == PAYLOAD_HEX && !deflated && has / 2 < needed) {
        return payload_short_of(
            source, has, needed < UINT64_MAX / 2 ? 2 * needed : needed, "of hex digits", problem);
    }
    // A run of 127 samples has two bytes.
    if (runs && !deflated && has < needed / 64) {
        return payload_short_of(source, has, needed, "of runs, too few", problem);
    }
    if (plain && !payload->length) {
        if (has < all) {
            return payload_short_of(source, has, all, "of samples", problem);
        }
        if (warn && has > all && !payload->tail) {
            log_warn(
                "'%s' has %" PRIu64 " byte%s after its samples; they are ignored", source->path,
                has - all, payload_plural(has - all));
        }
    }
    *out = (struct payload_part){ .stamp = source->stamp, .begin = begin, .end = end };
    if (!deflated) {
        return true;
    }
    out->skip = payload->byte_skip;
    if (!payload->at_end) {
        return input_skips(source->path, out->skip, problem);
    }
    source_confine(source, begin, end);
    return payload_find_tail(source, all, &out->skip, problem);
}

// The next byte of the file; -1 at its end, or on an error, which sets *failed.
static int payload_next_byte(struct payload_stream *stream, bool *failed, struct problem *problem)
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

static bool payload_ends_early(const struct payload_stream *stream, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' ends before the last of the samples that its header asks for; the file is cut short "
        "or the header's sizes are wrong",
        stream->source->path);
}

// Refuses a raw file without a header that ends `got` bytes after sample `at` when inflated.
static bool payload_ends_early_headless(
    const struct payload_stream *stream, uint64_t at, size_t got, struct problem *problem)
{
    const struct payload *payload = stream->payload;
    const uint64_t skip = payload->byte_skip;
    const uint64_t bytes = skip + at * sample_size(&payload->format) + got;
    return raw_fit_refuse(
        stream->source->path, "inflated ", bytes, skip, payload->dim, payload->format.type,
        problem);
}

// Counts a blank that separates nothing as a skipped byte.
static bool payload_pass_blank(struct payload_stream *stream, struct problem *problem)
{
    const uint64_t often = UINT64_C(1) << 16;
    return ++stream->blanks % often != 0 || input_skips(stream->source->path, often, problem);
}

static bool
payload_decode_hex(struct payload_stream *stream, void *bytes, size_t size, struct problem *problem)
{
    unsigned char *out = bytes;
    for (size_t i = 0; i < 2 * size;) {
        bool failed = false;
        const int byte = payload_next_byte(stream, &failed, problem);
        if (byte < 0) {
            return failed ? false : payload_ends_early(stream, problem);
        }
        if (isxdigit(byte)) {
            const int digit = byte <= '9' ? byte - '0' : (byte | 32) - 'a' + 10;
            out[i / 2] = (unsigned char)(i % 2 ? out[i / 2] | digit : digit << 4);
            i++;
        } else if (!isspace(byte)) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': byte 0x%02x among its samples is not a hex digit",
                stream->source->path, byte);
        } else if (!payload_pass_blank(stream, problem)) {
            return false;
        }
    }
    return true;
}

// The next byte of a slice of runs; -1 where the slice has no more, or the file fails.
static int payload_next_of_slice(struct payload_stream *stream, struct problem *problem)
{
    bool failed = false;
    const int byte = stream->run_bytes > 0 ? payload_next_byte(stream, &failed, problem) : -1;
    if (byte >= 0) {
        stream->run_bytes--;
    } else if (!failed) {
        payload_ends_early(stream, problem);
    }
    return byte;
}

// Reads the number of bytes of the next slice, behind what is left of the last one.
static bool payload_begin_slice(struct payload_stream *stream, struct problem *problem)
{
    const char *path = stream->source->path;
    if (!input_skips(path, stream->run_bytes, problem)) {
        return false;
    }
    while (stream->run_bytes > 0) {
        if (payload_next_of_slice(stream, problem) < 0) {
            return false;
        }
    }
    for (int last = 0; last != 'X';) {
        bool failed = false;
        last = payload_next_byte(stream, &failed, problem);
        if (failed) {
            return false;
        }
        if (isdigit(last) && stream->run_bytes < UINT32_MAX) {
            stream->run_bytes = 10 * stream->run_bytes + (uint64_t)(last - '0');
        } else if (last != 'X' && last != ' ') {
            return last < 0 ? payload_ends_early(stream, problem)
                            : problem_set(
                                  problem, PROBLEM_INPUT,
                                  "'%s': a slice begins with byte 0x%02x; expected its number of "
                                  "bytes and an X",
                                  path, last);
        }
        if (last == ' ' && !payload_pass_blank(stream, problem)) {
            return false;
        }
    }
    stream->run_left = 0;
    return true;
}

static bool payload_decode_runs(
    struct payload_stream *stream, uint64_t at, unsigned char *out, size_t count,
    struct problem *problem)
{
    const uint64_t slice = stream->payload->dim[0] * stream->payload->dim[1];
    for (size_t i = 0; i < count; i++) {
        if ((at + i) % slice == 0 && !payload_begin_slice(stream, problem)) {
            return false;
        }
        if (stream->run_left == 0) {
            const int head = payload_next_of_slice(stream, problem);
            if (head < 0) {
                return false;
            }
            stream->run_left = head & 0x7f;
            stream->run_value = -1;
            if (stream->run_left == 0) { // the mark of the slice's end
                return payload_ends_early(stream, problem);
            }
            if (!(head & 0x80)) {
                stream->run_value = payload_next_of_slice(stream, problem);
                if (stream->run_value < 0) {
                    return false;
                }
            }
        }
        const int value =
            stream->run_value >= 0 ? stream->run_value : payload_next_of_slice(stream, problem);
        if (value < 0) {
            return false;
        }
        out[i] = (unsigned char)value;
        stream->run_left--;
    }
    return true;
}

// Reads the next word of a text. False at the end and on an error; both fill `problem`.
static bool
payload_next_word(struct payload_stream *stream, char word[WORD], struct problem *problem)
{
    size_t length = 0;
    for (;;) {
        bool failed = false;
        const int byte = payload_next_byte(stream, &failed, problem);
        if (failed) {
            return false;
        }
        if (byte < 0 || isspace(byte) || byte == ',') {
            if (length > 0) {
                break;
            }
            if (byte < 0) {
                return payload_ends_early(stream, problem);
            }
            if (!payload_pass_blank(stream, problem)) {
                return false;
            }
            continue;
        }
        if (length == WORD - 1 || byte == 0) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': its samples should be text; '%.*s...' is not a number", stream->source->path,
                (int)length, word);
        }
        word[length++] = (char)byte;
    }
    word[length] = 0;
    return true;
}

// Parses one number into the file's type, in host order.
static bool
payload_parse_word(struct payload_stream *stream, const char *word, void *out, const char **why)
{
    const struct sample_format *format = &stream->payload->format;
    double value;
    if (!text_real(word, &value)) {
        *why = "is not a number";
        return false;
    }
    const bool floats = format->type == VOLUME_FLOAT32 || format->type == VOLUME_FLOAT64;
    if (floats && isinf(value) && isdigit((unsigned char)word[strcspn(word, "0123456789iInN")])) {
        *why = "is too large for float64";
        return false;
    }
    const struct volume_limits limits = volume_limits[format->type];
    if (!floats && !(value >= limits.least && value <= limits.most)) {
        *why = "is out of the range of its type";
        return false;
    }
    if (!floats && value != floor(value)) {
        *why = "is not a whole number";
        return false;
    }
    stream->overflows += format->type == VOLUME_FLOAT32 && isinf((float)value) && !isinf(value);
    sample_store(format, value, out);
    return true;
}

static bool payload_decode_text(
    struct payload_stream *stream, void *bytes, size_t count, struct problem *problem)
{
    const struct sample_format *format = &stream->payload->format;
    const size_t size = sample_value_size(format);
    for (size_t i = 0; i < count * (sample_size(format) / size); i++) {
        char word[WORD];
        const char *why;
        if (!payload_next_word(stream, word, problem)) {
            return false;
        }
        if (!payload_parse_word(stream, word, (char *)bytes + i * size, &why)) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': '%s' among its samples %s", stream->source->path,
                word, why);
        }
    }
    return true;
}

// Decodes the next `count` samples, from sample `at` of the file on, into the file's type and byte
// order (text: into host order).
static bool payload_decode(
    struct payload_stream *stream, uint64_t at, void *bytes, size_t count, struct problem *problem)
{
    const size_t size = count * sample_size(&stream->payload->format);
    size_t got;
    switch (stream->payload->encoding) {
    case PAYLOAD_TEXT:
        return payload_decode_text(stream, bytes, count, problem);
    case PAYLOAD_HEX:
        return payload_decode_hex(stream, bytes, size, problem);
    case PAYLOAD_RUNS:
        return payload_decode_runs(stream, at, bytes, count, problem);
    case PAYLOAD_RAW:
    case PAYLOAD_DEFLATE:
        break;
    }
    if (!source_read(stream->source, bytes, size, &got, problem)) {
        return false;
    }
    return got == size ||
           (stream->payload->headless ? payload_ends_early_headless(stream, at, got, problem)
                                      : payload_ends_early(stream, problem));
}

// Refuses a raw file without a header that has more inflated bytes than its dims need. The size at
// the end of a gzip file cannot tell: it is modulo 2^32 and only of the last member.
static bool payload_too_long_headless(const struct payload_stream *stream, struct problem *problem)
{
    const struct payload *payload = stream->payload;
    const uint64_t *dim = payload->dim, skip = payload->byte_skip;
    const uint64_t needed = skip + dim[0] * dim[1] * dim[2] * sample_size(&payload->format);
    const char *path = stream->source->path;
    uint32_t stated;
    if (source_gzip_size(stream->source, &stated) && stated > needed) {
        return raw_fit_refuse(path, "inflated ", stated, skip, dim, payload->format.type, problem);
    }
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' has, inflated, more than the %" PRIu64 " bytes that %" PRIu64 "x%" PRIu64 "x%" PRIu64
        " %s needs; check --dims and --type",
        path, needed, dim[0], dim[1], dim[2], volume_type_name(payload->format.type));
}

// Reads past the last sample. This also checks the checksum at the end of a compressed stream. With
// `warn` it warns about further bytes, and about a stream that is longer than the header says.
static bool payload_check_end(struct payload_stream *stream, bool warn, struct problem *problem)
{
    char more;
    size_t got;
    if (!payload_is_deflated(stream->payload) || stream->payload->frames > 1) {
        return true;
    }
    if (stream->payload->encoding != PAYLOAD_DEFLATE) { // anything may follow the samples
        do {
            if (!source_read(stream->source, stream->window, WINDOW, &got, problem) ||
                !input_skips(stream->source->path, got, problem)) {
                return false;
            }
        } while (got > 0);
        stream->at = stream->size = 0;
        return true;
    }
    if (!source_read(stream->source, &more, 1, &got, problem)) {
        return false;
    }
    if (got > 0 && stream->payload->headless) {
        return payload_too_long_headless(stream, problem);
    }
    if (got > 0 && warn && !stream->payload->tail) {
        log_warn(
            "'%s' has, inflated, more bytes than its header asks for; they are ignored",
            stream->source->path);
    }
    const uint64_t length = stream->payload->length, taken = source_taken(stream->source);
    if (length > 0 && taken > length && warn) {
        log_warn(
            "'%s': the compressed samples have %" PRIu64 " bytes, more than the %" PRIu64
            " that its header says; they are read to their end",
            stream->source->path, taken, length);
    }
    return true;
}

struct payload_reader {
    char *path; // path of the header
    struct payload payload;
    struct sidecar_list list; // owned; payload.files is NULL or points here
    struct sample_format format;
    uint64_t slice;        // samples in a slice
    uint64_t count, share; // samples of the volume and of each file
    uint64_t before;       // samples of other volumes before them in the file
    struct payload_stream stream;
    struct source source;       // the file that is open
    size_t file;                // index of that file
    struct payload_part *parts; // one for each file
    uint64_t at;                // index of the next sample in the file; UINT64_MAX: unknown
    void *buffer;
    bool anywhere; // data files may lie elsewhere, see sidecar_open
    bool warned_more, warned_overflow;
};

// Checks every file before memory is allocated. `anywhere`: see sidecar_open.
static bool payload_check_files(
    struct source *header, const struct payload *payload, uint64_t share, bool anywhere,
    struct payload_part *parts, struct problem *problem)
{
    for (size_t i = 0; payload->files && i < payload->files->count; i++) {
        const char *name = payload->files->names[i];
        struct source own;
        if (!input_go_on(header->path, problem) ||
            !sidecar_open(header->path, name, anywhere, &own, problem)) {
            return false;
        }
        if (i == 0 && sidecar_is_elsewhere(name)) {
            log_note("'%s': its samples are in another folder: '%s'", header->path, own.path);
        }
        const bool ok = payload_locate(&own, payload, share, i == 0, &parts[i], problem);
        source_close(&own);
        if (!ok) {
            return false;
        }
    }
    return payload->files || payload_locate(header, payload, share, true, &parts[0], problem);
}

// Moves to the first sample of the open file. PROBLEM_INPUT where the file has changed.
static bool payload_confine(struct payload_reader *reader, size_t file, struct problem *problem)
{
    const struct payload_part *part = &reader->parts[file];
    reader->file = file;
    if (!source_unchanged(&reader->source, &part->stamp, problem)) {
        return false;
    }
    source_confine(&reader->source, part->begin, part->end);
    return true;
}

// The samples are in the file of the header. Keeps it open through a second descriptor.
static bool payload_keep_header(
    struct payload_reader *reader, const struct source *header, struct problem *problem)
{
    const int fd = fcntl(header->fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) {
        return problem_set(
            problem, PROBLEM_INPUT, "cannot read '%s': %s", header->path, strerror(errno));
    }
    if (!source_adopt(fd, reader->path, &reader->source, problem)) {
        return false;
    }
    reader->source.sum = reader->payload.sum;
    return payload_confine(reader, 0, problem);
}

static void payload_close(void *state)
{
    struct payload_reader *reader = state;
    source_close(&reader->source);
    sidecar_list_destroy(&reader->list);
    free(reader->buffer);
    free(reader->parts);
    free(reader->path);
    free(reader);
}

static bool
payload_skips_beyond(const struct payload_stream *stream, uint64_t missing, struct problem *problem)
{
    return stream->payload->headless ? problem_set(
                                           problem, PROBLEM_INPUT,
                                           "'%s': the offset lies %" PRIu64 " bytes beyond its end",
                                           stream->source->path, missing)
                                     : payload_ends_early(stream, problem);
}

// Starts to decode the open file at its first sample.
static bool payload_begin_file(struct payload_reader *reader, struct problem *problem)
{
    reader->stream.at = reader->stream.size = 0;
    reader->stream.run_bytes = 0;
    reader->at = 0;
    uint64_t missing = 0;
    reader->source.bare = reader->payload.bare;
    return !payload_is_deflated(&reader->payload) ||
           ((reader->source.packed || source_inflate(&reader->source, problem)) &&
            source_skip(&reader->source, reader->parts[reader->file].skip, &missing, problem) &&
            (missing == 0 || payload_skips_beyond(&reader->stream, missing, problem)));
}

static bool payload_unchanged(const void *state, struct problem *problem)
{
    const struct payload_reader *reader = state;
    const struct sidecar_list *files = reader->payload.files;
    if (!files) { // the file of the header stays open
        return source_unchanged(&reader->source, &reader->parts[0].stamp, problem);
    }
    for (size_t i = 0; i < files->count; i++) {
        struct source own;
        if (!input_go_on(reader->path, problem) ||
            !sidecar_open(reader->path, files->names[i], reader->anywhere, &own, problem)) {
            return false;
        }
        const bool same = source_unchanged(&own, &reader->parts[i].stamp, problem);
        source_close(&own);
        if (!same) {
            return false;
        }
    }
    return true;
}

static bool payload_open_file(struct payload_reader *reader, size_t file, struct problem *problem)
{
    source_close(&reader->source);
    if (!sidecar_open(
            reader->path, reader->list.names[file], reader->anywhere, &reader->source, problem)) {
        return false;
    }
    if (!payload_confine(reader, file, problem) || !payload_begin_file(reader, problem)) {
        source_close(&reader->source);
        return false;
    }
    return true;
}

// Moves to sample `at` of a file. The caller has read `done` of `count` samples, for progress.
static bool payload_seek(
    struct payload_reader *reader, size_t file, uint64_t at, const struct progress *progress,
    uint64_t done, uint64_t count, struct problem *problem)
{
    const size_t size = sample_size(&reader->format);
    if ((reader->source.fd < 0 || reader->file != file) &&
        !payload_open_file(reader, file, problem)) {
        return false;
    }
    if (at != reader->at && reader->payload.encoding == PAYLOAD_RAW) {
        reader->at = at;
        source_seek(&reader->source, at * size);
        return true;
    }
    if (at < reader->at) {
        source_seek(&reader->source, 0);
        if (!payload_begin_file(reader, problem)) {
            return false;
        }
    }
    while (reader->at < at) {
        const uint64_t left = at - reader->at;
        const size_t most = reader->stream.capacity / size;
        const size_t n = left < most ? (size_t)left : most;
        if (!payload_decode(&reader->stream, reader->at, reader->buffer, n, problem) ||
            !progress_report(progress, reader->path, done, count, problem)) {
            return false;
        }
        reader->at += n;
    }
    return true;
}

static bool payload_read_range(
    struct payload_reader *reader, uint64_t first, uint64_t count, void *out,
    const struct progress *progress, struct problem *problem)
{
    struct samples samples = {
        .path = reader->path,
        .format = reader->format,
        .to = out,
        .count = count,
        .first = first,
    };
    // Samples that differ only in byte order are read directly into place.
    const bool in_place = sample_stays(&reader->format);
    const size_t size = sample_size(&reader->format);
    assert(first <= reader->count && count <= reader->count - first);
    while (samples.done < count) {
        const uint64_t begin = (first + samples.done) % reader->share;
        const uint64_t at = reader->before + begin;
        const size_t file = (size_t)((first + samples.done) / reader->share);
        if (!payload_seek(reader, file, at, progress, samples.done, count, problem)) {
            goto fail;
        }
        uint64_t left = reader->share - begin;
        left = left < count - samples.done ? left : count - samples.done;
        const size_t most = reader->stream.capacity / size;
        const size_t n = left < most ? (size_t)left : most;
        void *to = in_place ? (char *)out + samples.done * size : reader->buffer;
        reader->stream.overflows = 0;
        if (!payload_decode(&reader->stream, at, to, n, problem) ||
            !source_unchanged(&reader->source, &reader->parts[file].stamp, problem)) {
            goto fail;
        }
        reader->at += n;
        samples.overflows += reader->stream.overflows;
        if (!samples_put(&samples, to, n, problem)) {
            return false;
        }
        if (begin + n == reader->share) {
            if (!payload_check_end(&reader->stream, !reader->warned_more, problem)) {
                goto fail;
            }
            reader->warned_more |= first + samples.done == reader->count;
        }
        if (!progress_report(progress, reader->path, samples.done, count, problem)) {
            return false;
        }
    }
    if (samples.overflows > 0 && !reader->warned_overflow) {
        samples_end(&samples);
        reader->warned_overflow = true;
    }
    return true;
fail:
    reader->at = UINT64_MAX;
    return false;
}

static bool payload_read_slices(
    void *state, uint32_t z, uint32_t count, void *samples, const struct progress *progress,
    struct problem *problem)
{
    struct payload_reader *reader = state;
    return payload_read_range(
        reader, z * reader->slice, count * reader->slice, samples, progress, problem);
}

static const struct slice_reader payload_slices = {
    .read = payload_read_slices,
    .unchanged = payload_unchanged,
    .close = payload_close,
};

// Which of several volumes is read: *frame.
static bool payload_choose(
    const struct payload *payload, const struct volume_params *params, const char *path,
    struct contents *contents, uint64_t *frame, struct problem *problem)
{
    const uint64_t channels = payload->channels + !payload->channels;
    const uint64_t times = (payload->frames + !payload->frames) / channels;
    uint64_t time, channel;
    const bool fine =
        contents_choose(contents, CONTENTS_TIME, times, &params->pick, path, &time, problem) &&
        contents_choose(
            contents, CONTENTS_CHANNEL, channels, &params->pick, path, &channel, problem);
    *frame = fine ? time + channel * times : 0;
    if (fine && payload->frames > 1 && payload->frames_how &&
        !contents_asked(&params->pick, CONTENTS_TIME)) {
        log_warn(
            "'%s' has %" PRIu64 " volumes%s; the first is read, --time N reads another", path,
            payload->frames, payload->frames_how);
    }
    return fine;
}

bool payload_open(
    struct source *header, const struct payload *described, const struct volume_params *params,
    struct volume_file *out, struct problem *problem)
{
    const uint64_t *dim = described->dim;
    size_t files = described->files ? described->files->count : 1;
    struct payload_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        return problem_no_memory(problem, "reading", header->path);
    }
    reader->source.fd = -1;
    out->reader = &payload_slices;
    out->state = reader;
    reader->path = strdup(header->path);
    if (!reader->path) {
        return problem_no_memory(problem, "reading", header->path);
    }
    reader->payload = *described;
    reader->payload.packed = header->head && !described->files;
    if (reader->payload.packed) {
        assert(!described->at_end && described->line_skip == 0);
        reader->payload.byte_skip += described->offset;
        reader->payload.offset = 0;
        if (described->encoding == PAYLOAD_RAW) {
            reader->payload.encoding = PAYLOAD_DEFLATE;
        }
    }
    if (described->files) {
        reader->list = *described->files;
        reader->payload.files = &reader->list;
        *described->files = (struct sidecar_list){ 0 };
    }
    uint64_t frame, skipped;
    if (!payload_choose(described, params, header->path, &out->contents, &frame, problem)) {
        return false;
    }
    // Several volumes in several files: only the files of one volume are read.
    if (described->frames > 1 && files > 1) {
        if (files % described->frames != 0) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s' names %zu files for %" PRIu64 " volumes",
                header->path, files, described->frames);
        }
        files /= described->frames;
        sidecar_list_keep(&reader->list, frame * files, files);
        reader->payload.frames = 1;
        frame = 0;
    }
    out->seekable = reader->payload.encoding == PAYLOAD_RAW;
    reader->format = described->format;
    if (described->encoding == PAYLOAD_TEXT) { // text is parsed into host order
        reader->format.order = BYTE_ORDER_HOST;
    }
    if (!samples_describe(
            header->path, dim, &reader->format, params->max_bytes, &out->volume, problem)) {
        return false;
    }
    reader->slice = dim[0] * dim[1];
    reader->count = reader->slice * dim[2];
    if (!size_product(reader->count, frame, &reader->before) ||
        !size_product(reader->before, sample_size(&reader->format), &skipped)) {
        return payload_short_of(
            header, header->size, UINT64_MAX, "for its volumes, too few", problem);
    }
    if (files == 0 || files > SIDECAR_FILES_MOST || reader->count % files != 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' names %zu files, which cannot share its %" PRIu64 " slices evenly", header->path,
            files, dim[2]);
    }
    reader->share = reader->count / files;
    reader->parts = calloc(files, sizeof *reader->parts);
    if (!reader->parts) {
        return problem_no_memory(problem, "reading", header->path);
    }
    if (params->describe) {
        return true;
    }
    if (described->encoding != PAYLOAD_RAW && !input_skips(header->path, skipped, problem)) {
        return false;
    }
    reader->anywhere = params->named;
    if (!payload_check_files(
            header, &reader->payload, reader->share, params->named, reader->parts, problem)) {
        return false;
    }
    reader->stream.source = &reader->source;
    reader->stream.payload = &reader->payload;
    const size_t most = described->format.values > 1 ? sample_size(&described->format) : 8;
    reader->stream.capacity = reader->share < CHUNK / most ? most * (size_t)reader->share : CHUNK;
    reader->buffer = malloc(reader->stream.capacity);
    if (!reader->buffer) {
        return problem_no_memory(problem, "reading", header->path);
    }
    return described->files ||
           (payload_keep_header(reader, header, problem) && payload_begin_file(reader, problem));
}
