#include "volumes/formats/vtk_blocks.h"

#include "volumes/base/input.h"
#include "volumes/base/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PLAIN ((uint64_t)3 << 16) // bytes of a block of samples that are not compressed

void vtk_blocks_free(struct vtk_blocks *blocks)
{
    free(blocks->begins);
    free(blocks->packed);
    source_close(&blocks->copy);
    *blocks = (struct vtk_blocks){ 0 };
}

// The value of a base64 digit, 0..63; 64 for '=', 65 for blanks, 255 for all other bytes.
static unsigned vtk_blocks_sextet(unsigned char c)
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

bool vtk_blocks_put(
    struct vtk_blocks *blocks, const char *text, size_t size, struct problem *problem)
{
    char digits[4096];
    for (size_t i = 0, n = 0; i < size && !blocks->odd; n = 0) {
        for (; i < size && n < sizeof digits && !blocks->odd; i++) {
            const unsigned value = blocks->base64 ? vtk_blocks_sextet((unsigned char)text[i]) : 0;
            blocks->odd = value == 255 ? (unsigned char)text[i] : 0;
            digits[n] = text[i];
            n += value <= 64;
        }
        if (!output_put(blocks->copy.fd, digits, n)) {
            return problem_no_memory(problem, "reading", blocks->source->path);
        }
    }
    return true;
}

// Decodes bytes from offset `at` of a run of base64 at `begin`. False where it has other than
// digits.
static bool vtk_blocks_decode(
    const struct vtk_blocks *blocks, uint64_t begin, uint64_t at, unsigned char *out, uint64_t size)
{
    unsigned char text[4096];
    uint64_t quad = at / 3, skip = at % 3;
    while (size > 0) {
        const uint64_t left = (skip + size + 2) / 3, n = left < 1024 ? left : 1024;
        const uint64_t from = begin + 4 * quad;
        if (from > blocks->end || 4 * n > blocks->end - from ||
            source_peek_at(blocks->source, from, text, 4 * n) != 4 * n) {
            return false;
        }
        for (uint64_t i = 0; i < n; i++) {
            unsigned bits = 0, padding = 0;
            for (unsigned k = 0; k < 4; k++) {
                const unsigned value = vtk_blocks_sextet(text[4 * i + k]);
                if (value > 64 || (value == 64 && k < 2) || (value < 64 && padding > 0)) {
                    return false;
                }
                padding += value == 64;
                bits = bits << 6 | (value & 63);
            }
            for (unsigned k = (unsigned)skip; k < 3 && size > 0; k++, size--) {
                if (k >= 3 - padding) {
                    return false;
                }
                *out++ = (unsigned char)(bits >> (16 - 8 * k));
            }
            skip = 0;
        }
        quad += n;
    }
    return true;
}

// Copies decoded bytes of the contents. False where they are not there.
static bool
vtk_blocks_peek(const struct vtk_blocks *blocks, uint64_t at, unsigned char *out, uint64_t size)
{
    if (!blocks->base64) {
        return source_peek_at(blocks->source, blocks->at + at, out, size) == size;
    }
    return blocks->apart && at >= blocks->header
               ? vtk_blocks_decode(
                     blocks, blocks->at + (blocks->header + 2) / 3 * 4, at - blocks->header, out,
                     size)
               : vtk_blocks_decode(blocks, blocks->at, at, out, size);
}

// Says that the contents end, or cannot be read, behind `bytes` of the samples.
static bool
vtk_blocks_too_short(const struct vtk_blocks *blocks, uint64_t bytes, struct problem *problem)
{
    if (blocks->odd && blocks->odd != '<') {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': byte 0x%02x in the array is not base64",
            blocks->source->path, (unsigned)blocks->odd);
    }
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s': the array ends too early: %" PRIu64 " of its %" PRIu64 " samples are there",
        blocks->source->path, bytes / blocks->sample, blocks->bytes / blocks->sample);
}

// Reads the sizes of `blocks->count` compressed blocks, *packed bytes in all.
static bool vtk_blocks_list(struct vtk_blocks *blocks, struct problem *problem)
{
    unsigned char word[8];
    if (blocks->count > blocks->source->size / blocks->word_size) {
        return vtk_blocks_too_short(blocks, 0, problem);
    }
    free(blocks->begins);
    blocks->begins = malloc((blocks->count + 1) * sizeof *blocks->begins);
    if (!blocks->begins) {
        return problem_no_memory(problem, "reading", blocks->source->path);
    }
    blocks->begins[0] = 0;
    for (uint64_t i = 0; i < blocks->count; i++) {
        if (!vtk_blocks_peek(blocks, (3 + i) * blocks->word_size, word, blocks->word_size)) {
            return vtk_blocks_too_short(blocks, 0, problem);
        }
        if (__builtin_add_overflow(
                blocks->begins[i],
                sample_bits(word, blocks->word_size, blocks->order == BYTE_ORDER_BIG),
                &blocks->begins[i + 1]) ||
            blocks->begins[i + 1] > UINT64_MAX / 8) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': the array's blocks are larger than any file",
                blocks->source->path);
        }
    }
    return true;
}

// Reads the header and compares it with the samples.
static bool vtk_blocks_head(struct vtk_blocks *blocks, struct problem *problem)
{
    const uint64_t word = blocks->word_size, words = blocks->zlib ? 3 : 1;
    unsigned char bytes[24];
    uint64_t numbers[3] = { 0 }, total;
    blocks->apart = false;
    if (!vtk_blocks_peek(blocks, 0, bytes, words * word)) {
        return vtk_blocks_too_short(blocks, 0, problem);
    }
    for (uint64_t i = 0; i < words; i++) {
        numbers[i] = sample_bits(bytes + i * word, word, blocks->order == BYTE_ORDER_BIG);
    }
    blocks->header = word;
    if (!blocks->zlib) {
        blocks->size = PLAIN;
        return numbers[0] == blocks->bytes ||
               problem_set(
                   problem, PROBLEM_INPUT,
                   "'%s': the array says that it has %" PRIu64 " bytes, but its samples have "
                   "%" PRIu64,
                   blocks->source->path, numbers[0], blocks->bytes);
    }
    blocks->count = numbers[0];
    blocks->last = numbers[2] ? numbers[2] : numbers[1];
    blocks->size = numbers[0] == 1 ? blocks->last : numbers[1];
    if (numbers[0] == 0 || blocks->size == 0 || blocks->last > numbers[1] ||
        __builtin_mul_overflow(numbers[0] - 1, blocks->size, &total) ||
        __builtin_add_overflow(total, blocks->last, &total) || total != blocks->bytes) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': the array says that it has %" PRIu64 " blocks of %" PRIu64 " bytes (the last "
            "%" PRIu64 "), but its samples have %" PRIu64 " bytes",
            blocks->source->path, numbers[0], numbers[1], blocks->last, blocks->bytes);
    }
    blocks->header = (3 + blocks->count) * word;
    return vtk_blocks_list(blocks, problem);
}

// Whether `size` bytes of the file from `at` on are base64 without blanks.
static bool vtk_blocks_are_digits(struct source *source, uint64_t at, uint64_t size)
{
    unsigned char text[1 << 14];
    bool odd[256], found = false;
    for (unsigned i = 0; i < 256; i++) {
        odd[i] = vtk_blocks_sextet((unsigned char)i) > 64;
    }
    while (size > 0 && !found) {
        const size_t n = size < sizeof text ? (size_t)size : sizeof text;
        found = source_peek_at(source, at, text, n) != n;
        for (size_t i = 0; i < n && !found; i++) {
            found = odd[text[i]];
        }
        at += n;
        size -= n;
    }
    return !found;
}

// Reads the header, and whether its base64 is padded.
static bool vtk_blocks_find(struct vtk_blocks *blocks, struct problem *problem)
{
    unsigned char last = 0;
    if (!vtk_blocks_head(blocks, problem)) {
        return false;
    }
    source_peek_at(blocks->source, blocks->at + (blocks->header + 2) / 3 * 4 - 1, &last, 1);
    blocks->apart = blocks->base64 && last == '=';
    return true;
}

// Whether the base64 is found by offsets. A problem that is not one of the file is left in `why`.
static bool vtk_blocks_by_offset(struct vtk_blocks *blocks, struct problem *why)
{
    if (blocks->at == blocks->end || !vtk_blocks_find(blocks, why)) {
        return false;
    }
    const uint64_t head = (blocks->header + 2) / 3 * 4;
    const uint64_t data = blocks->zlib ? blocks->begins[blocks->count] : blocks->bytes;
    const uint64_t size =
        blocks->apart ? head + (data + 2) / 3 * 4 : (blocks->header + data + 2) / 3 * 4;
    return size <= blocks->end - blocks->at &&
           vtk_blocks_are_digits(blocks->source, blocks->at, size);
}

bool vtk_blocks_copy(struct vtk_blocks *blocks, struct problem *problem)
{
    char text[4096];
    const char *path = blocks->source->path;
    blocks->copy = (struct source){ .path = path, .fd = memfd_create("contents", MFD_CLOEXEC) };
    if (blocks->copy.fd < 0) {
        return problem_no_memory(problem, "reading", path);
    }
    bool fine = !blocks->feed || blocks->feed(blocks->user, problem);
    for (uint64_t at = blocks->at; fine && !blocks->feed && !blocks->odd && at < blocks->end;) {
        const size_t got = source_peek_at(blocks->source, at, text, sizeof text);
        at = got > 0 ? at + got : blocks->end;
        fine = input_go_on(path, problem) && vtk_blocks_put(blocks, text, got, problem);
    }
    if (!fine || !source_adopt_inside(blocks->copy.fd, path, &blocks->copy, problem)) {
        return false;
    }
    blocks->source = &blocks->copy;
    blocks->at = 0;
    blocks->end = blocks->copy.size;
    return true;
}

bool vtk_blocks_begin(struct vtk_blocks *blocks, struct problem *problem)
{
    struct problem why = { 0 };
    if (blocks->base64 && vtk_blocks_by_offset(blocks, &why)) {
        return true;
    }
    if (problem_of_device(why.kind)) {
        return problem_set(problem, why.kind, "%s", why.text);
    }
    return (!blocks->base64 || vtk_blocks_copy(blocks, problem)) &&
           vtk_blocks_find(blocks, problem);
}

static bool vtk_blocks_broken(
    const struct vtk_blocks *blocks, uint64_t number, const char *how, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s': block %" PRIu64 " of %" PRIu64 " of the array is not valid zlib data: %s",
        blocks->source->path, number + 1, blocks->count, how);
}

static bool vtk_blocks_inflate(
    const struct vtk_blocks *blocks, uint64_t number, uint64_t packed, unsigned char *out,
    struct problem *problem)
{
    uint64_t left = number + 1 == blocks->count ? blocks->last : blocks->size;
    z_stream stream = { .next_in = blocks->packed };
    unsigned char more;
    if (inflateInit(&stream) != Z_OK) {
        return problem_no_memory(problem, "reading", blocks->source->path);
    }
    int result = Z_OK;
    bool full = false;
    stream.next_out = out;
    while (result == Z_OK && !full) { // in pieces, because zlib counts in 32 bits
        const uInt in = packed < 1 << 30 ? (uInt)packed : 1 << 30;
        const uInt room = left < 1 << 30 ? (uInt)left : 1 << 30;
        stream.avail_in = in;
        stream.avail_out = room ? room : 1;
        stream.next_out = room ? stream.next_out : &more;
        result = inflate(&stream, Z_NO_FLUSH);
        packed -= in - stream.avail_in;
        full = room == 0 && stream.avail_out == 0;
        left -= room ? room - stream.avail_out : 0;
    }
    const char *why = stream.msg ? stream.msg : "it is corrupt";
    inflateEnd(&stream);
    return full ? vtk_blocks_broken(blocks, number, "it is larger than the header says", problem)
           : result == Z_MEM_ERROR ? problem_no_memory(problem, "reading", blocks->source->path)
           : result == Z_BUF_ERROR
               ? vtk_blocks_broken(blocks, number, "it is longer than the header says", problem)
           : result != Z_STREAM_END ? vtk_blocks_broken(blocks, number, why, problem)
           : left > 0
               ? vtk_blocks_broken(blocks, number, "it ends too early", problem)
               : packed == 0 || vtk_blocks_broken(
                                    blocks, number, "it is shorter than the header says", problem);
}

bool vtk_blocks_read(struct vtk_blocks *blocks, uint64_t number, void *out, struct problem *problem)
{
    const uint64_t begin = number * blocks->size;
    if (!input_go_on(blocks->source->path, problem)) {
        return false;
    }
    if (!blocks->zlib) {
        const uint64_t left = blocks->bytes - begin;
        return vtk_blocks_peek(
                   blocks, blocks->header + begin, out,
                   left < blocks->size ? left : blocks->size) ||
               vtk_blocks_too_short(blocks, begin, problem);
    }
    const uint64_t at = blocks->begins[number], size = blocks->begins[number + 1] - at;
    if (size > blocks->source->size) {
        return vtk_blocks_too_short(blocks, begin, problem);
    }
    if (size > blocks->packed_room) {
        unsigned char *packed = realloc(blocks->packed, size);
        if (!packed) {
            return problem_no_memory(problem, "reading", blocks->source->path);
        }
        blocks->packed = packed;
        blocks->packed_room = size;
    }
    return vtk_blocks_peek(blocks, blocks->header + at, blocks->packed, size)
               ? vtk_blocks_inflate(blocks, number, size, out, problem)
               : vtk_blocks_too_short(blocks, begin, problem);
}
