#include "volumes/formats/vtk_array.h"

#include "volumes/formats/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

bool vtk_array_begin(
    struct vtk_array *array, struct samples *samples, enum vtk_encoding encoding, bool zlib,
    size_t word_size, enum byte_order order, struct problem *problem)
{
    *array = (struct vtk_array){
        .samples = samples,
        .encoding = encoding,
        .zlib = zlib && encoding != VTK_ASCII,
        .word_size = word_size,
        .order = order,
        .wanted = samples->count,
    };
    if (array->zlib && inflateInit(&array->stream) != Z_OK) {
        return problem_no_memory(problem, "reading", samples->path);
    }
    array->inflating = array->zlib;
    return true;
}

void vtk_array_destroy(struct vtk_array *array)
{
    if (array->inflating) {
        inflateEnd(&array->stream);
    }
    *array = (struct vtk_array){ 0 };
}

static bool vtk_array_flush(struct vtk_array *array, struct problem *problem)
{
    const size_t size = sample_size(&array->samples->format);
    const size_t count = array->staged_size / size, rest = array->staged_size % size;
    unsigned char kept[8 * SAMPLE_VALUES_MOST]; // samples_put overwrites the bytes
    memcpy(kept, (unsigned char *)array->staged + count * size, rest);
    if (!samples_put(array->samples, array->staged, count, problem)) {
        return false;
    }
    memcpy(array->staged, kept, rest);
    array->staged_size = rest;
    return true;
}

// Adds bytes of samples. The caller never passes more bytes than the array still needs.
static bool vtk_array_stage(
    struct vtk_array *array, const unsigned char *bytes, size_t size, struct problem *problem)
{
    while (size > 0) {
        const size_t left = sizeof array->staged - array->staged_size;
        const size_t n = size < left ? size : left;
        memcpy((unsigned char *)array->staged + array->staged_size, bytes, n);
        array->staged_size += n;
        bytes += n;
        size -= n;
        if (array->staged_size == sizeof array->staged && !vtk_array_flush(array, problem)) {
            return false;
        }
    }
    return true;
}

static uint64_t vtk_array_bytes_wanted(const struct vtk_array *array)
{
    return array->wanted * sample_size(&array->samples->format);
}

static bool vtk_array_check_blocks(struct vtk_array *array, struct problem *problem)
{
    const uint64_t whole = array->blocks - (array->last_size ? 1 : 0);
    uint64_t total;
    if (array->blocks == 0 || array->last_size > array->block_size ||
        __builtin_mul_overflow(whole, array->block_size, &total) ||
        __builtin_add_overflow(total, array->last_size, &total) ||
        total != vtk_array_bytes_wanted(array)) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': the array says that it has %" PRIu64 " blocks of %" PRIu64 " bytes (the last "
            "%" PRIu64 "), but its samples have %" PRIu64 " bytes",
            array->samples->path, array->blocks, array->block_size,
            array->last_size ? array->last_size : array->block_size, vtk_array_bytes_wanted(array));
    }
    return true;
}

static bool vtk_array_take_word(struct vtk_array *array, struct problem *problem)
{
    const uint64_t value =
        sample_bits(array->word, array->word_size, array->order == BYTE_ORDER_BIG);
    array->word_filled = 0;
    const uint64_t number = array->words++;
    if (!array->zlib) {
        array->in_data = true;
        return value == vtk_array_bytes_wanted(array) ||
               problem_set(
                   problem, PROBLEM_INPUT,
                   "'%s': the array says that it has %" PRIu64 " bytes, but its samples have "
                   "%" PRIu64,
                   array->samples->path, value, vtk_array_bytes_wanted(array));
    }
    if (number == 0) {
        array->blocks = value;
    } else if (number == 1) {
        array->block_size = value;
    } else if (number == 2) {
        array->last_size = value;
        return vtk_array_check_blocks(array, problem);
    } else {
        array->in_data = number - 2 == array->blocks;
        return !__builtin_add_overflow(array->packed, value, &array->packed) ||
               problem_set(
                   problem, PROBLEM_INPUT, "'%s': the array's blocks are larger than any file",
                   array->samples->path);
    }
    return true;
}

static bool vtk_array_broken(struct vtk_array *array, const char *how, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s': block %" PRIu64 " of %" PRIu64 " of the array is not valid "
        "zlib data: %s",
        array->samples->path, array->block + 1, array->blocks, how);
}

static bool vtk_array_end_block(struct vtk_array *array, uint64_t expected, struct problem *problem)
{
    if (array->block_made != expected) {
        return vtk_array_broken(array, "it ends too early", problem);
    }
    array->block_made = 0;
    array->block++;
    inflateReset(&array->stream);
    if (array->block < array->blocks) {
        return true;
    }
    array->done = true;
    return array->taken == array->packed ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%s': the array's blocks have %" PRIu64 " bytes, but its header says %" PRIu64,
               array->samples->path, array->taken, array->packed);
}

// Inflates as much of `bytes` as possible.
static bool vtk_array_unpack(
    struct vtk_array *array, const unsigned char *bytes, size_t size, struct problem *problem)
{
    unsigned char made[8192];
    z_stream *stream = &array->stream;
    stream->next_in = (unsigned char *)bytes;
    stream->avail_in = (uInt)size;
    for (bool full = false; !array->done && (stream->avail_in > 0 || full);) {
        const uint64_t expected = array->block + 1 == array->blocks && array->last_size
                                      ? array->last_size
                                      : array->block_size;
        const uInt before = stream->avail_in;
        stream->next_out = made;
        stream->avail_out = sizeof made;
        const int result = inflate(stream, Z_NO_FLUSH);
        const size_t got = sizeof made - stream->avail_out;
        full = stream->avail_out == 0;
        array->taken += before - stream->avail_in;
        if (got > expected - array->block_made) {
            return vtk_array_broken(array, "it is larger than the header says", problem);
        }
        array->block_made += got;
        if (!vtk_array_stage(array, made, got, problem)) {
            return false;
        }
        if (result == Z_STREAM_END) {
            full = false;
            if (!vtk_array_end_block(array, expected, problem)) {
                return false;
            }
        } else if (result == Z_MEM_ERROR) {
            return problem_no_memory(problem, "reading", array->samples->path);
        } else if (result == Z_BUF_ERROR) {
            break;
        } else if (result != Z_OK) {
            return vtk_array_broken(array, stream->msg ? stream->msg : "it is corrupt", problem);
        }
    }
    return true;
}

static bool vtk_array_take_bytes(
    struct vtk_array *array, const unsigned char *bytes, size_t size, struct problem *problem)
{
    while (size > 0 && !array->in_data) {
        array->word[array->word_filled++] = *bytes++;
        size--;
        if (array->word_filled == array->word_size && !vtk_array_take_word(array, problem)) {
            return false;
        }
    }
    if (size == 0 || array->done) {
        return true;
    }
    if (array->zlib) {
        return vtk_array_unpack(array, bytes, size, problem);
    }
    const uint64_t left = vtk_array_bytes_wanted(array) - array->taken;
    const size_t n = size < left ? size : (size_t)left;
    array->taken += n;
    array->done = n == left;
    return vtk_array_stage(array, bytes, n, problem);
}

// The value of a base64 digit, 0..63; 64 for '=', 65 for blanks, 255 for all other bytes.
static unsigned vtk_array_sextet(unsigned char c)
{
    return c >= 'A' && c <= 'Z'                              ? c - 'A' + 0u
           : c >= 'a' && c <= 'z'                            ? c - 'a' + 26u
           : c >= '0' && c <= '9'                            ? c - '0' + 52u
           : c == '+'                                        ? 62
           : c == '/'                                        ? 63
           : c == '='                                        ? 64
           : c == ' ' || c == '\n' || c == '\r' || c == '\t' ? 65
                                                             : 255;
}

static bool vtk_array_take_base64(
    struct vtk_array *array, const unsigned char *bytes, size_t size, struct problem *problem)
{
    unsigned char out[3072];
    size_t filled = 0;
    for (size_t i = 0; i < size && !array->done; i++) {
        const unsigned value = vtk_array_sextet(bytes[i]);
        if (value == 65) {
            continue;
        }
        if (value == 255 || (value < 64 && array->quad_padding > 0) ||
            (value == 64 && array->quad_filled < 2)) {
            // Bytes after the array's end are ignored.
            return vtk_array_take_bytes(array, out, filled, problem) &&
                   (array->done ||
                    problem_set(
                        problem, PROBLEM_INPUT, "'%s': byte 0x%02x in the array is not base64",
                        array->samples->path, bytes[i]));
        }
        array->quad_padding += value == 64;
        array->quad = array->quad << 6 | (value & 63);
        if (++array->quad_filled < 4) {
            continue;
        }
        for (unsigned k = 0; k < 3 - array->quad_padding; k++) {
            out[filled++] = (unsigned char)(array->quad >> (16 - 8 * k));
        }
        array->quad = array->quad_filled = array->quad_padding = 0;
        if (filled + 3 > sizeof out) {
            if (!vtk_array_take_bytes(array, out, filled, problem)) {
                return false;
            }
            filled = 0;
        }
    }
    return vtk_array_take_bytes(array, out, filled, problem);
}

// Parses a number into a sample of the file's type, in host order.
static bool vtk_array_take_number(struct vtk_array *array, struct problem *problem)
{
    const struct sample_format *format = &array->samples->format;
    const size_t size = sample_value_size(format);
    const uint64_t at = array->samples->done * sample_size(format) + array->staged_size;
    const bool real = format->type == VOLUME_FLOAT32 || format->type == VOLUME_FLOAT64;
    int64_t whole = 0;
    double wide = 0;
    array->token[array->token_filled] = 0;
    array->token_filled = 0;
    const struct volume_limits limits = volume_limits[format->type];
    const bool fine = real ? text_real(array->token, &wide)
                           : text_whole(array->token, &whole) && (double)whole >= limits.least &&
                                 (double)whole <= limits.most;
    if (!fine) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': '%s' (sample %" PRIu64 ") is not of type %s",
            array->samples->path, array->token, at / sample_size(format),
            volume_type_name(format->type));
    }
    uint64_t bytes;
    const float narrow = (float)wide;
    array->samples->overflows += format->type == VOLUME_FLOAT32 && isinf(narrow) && !isinf(wide);
    sample_store(format, real ? wide : (double)whole, &bytes);
    array->done = at + size == vtk_array_bytes_wanted(array);
    return vtk_array_stage(array, (const unsigned char *)&bytes, size, problem);
}

static bool vtk_array_take_text(
    struct vtk_array *array, const unsigned char *bytes, size_t size, struct problem *problem)
{
    for (size_t i = 0; i < size && !array->done; i++) {
        if (vtk_array_sextet(bytes[i]) == 65) {
            if (array->token_filled > 0 && !vtk_array_take_number(array, problem)) {
                return false;
            }
            continue;
        }
        if (bytes[i] == 0 || array->token_filled + 1 == sizeof array->token) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': sample %" PRIu64 " of the array is not a number",
                array->samples->path,
                array->samples->done + array->staged_size / sample_size(&array->samples->format));
        }
        array->token[array->token_filled++] = (char)bytes[i];
    }
    return true;
}

bool vtk_array_put(struct vtk_array *array, const void *bytes, size_t size, struct problem *problem)
{
    assert(size <= (uInt)-1);
    return array->done                     ? true
           : array->encoding == VTK_ASCII  ? vtk_array_take_text(array, bytes, size, problem)
           : array->encoding == VTK_BASE64 ? vtk_array_take_base64(array, bytes, size, problem)
                                           : vtk_array_take_bytes(array, bytes, size, problem);
}

bool vtk_array_end(struct vtk_array *array, struct problem *problem)
{
    if (!array->done && array->token_filled > 0 && !vtk_array_take_number(array, problem)) {
        return false;
    }
    const size_t size = sample_size(&array->samples->format);
    if (!array->done) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': the array ends too early: %" PRIu64 " of its %" PRIu64 " samples are there",
            array->samples->path, array->samples->done + array->staged_size / size, array->wanted);
    }
    if (!vtk_array_flush(array, problem)) {
        return false;
    }
    samples_end(array->samples);
    return true;
}
