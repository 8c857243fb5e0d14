#include "volumes/formats/slice_image.h"

#include "volumes/base/size.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// stb_image inflates as much as a file holds, whatever its header says. So each allocation is
// limited to what the header can need.
static _Thread_local struct {
    size_t most_at_once;
    bool starved; // stb_image does not always say that memory was short
} decoding;

static void *slice_image_bounded_realloc(void *old, size_t size)
{
    void *out = size <= decoding.most_at_once ? realloc(old, size) : NULL;
    decoding.starved |= !out;
    return out;
}

static void *slice_image_bounded_malloc(size_t size)
{
    return slice_image_bounded_realloc(NULL, size);
}

#define STBI_MALLOC(size)       slice_image_bounded_malloc(size)
#define STBI_REALLOC(old, size) slice_image_bounded_realloc(old, size)
#define STBI_FREE(old)          free(old)
#define STBI_MAX_DIMENSIONS     16384
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STB_IMAGE_STATIC // Debian's libstb, which Dear ImGui brings, has the same names
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic ignored "-Wunused-function" // reported at the end of this file
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

#define HEADER_SIZE  33   // signature, and the IHDR chunk with its length, name and checksum
#define MOST_DEFLATE 1032 // bytes that one byte of deflate can inflate to at most

static uint32_t slice_image_big32(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool slice_image_broken(const char *path, const char *how, struct problem *problem)
{
    return problem_set(problem, PROBLEM_INPUT, "'%s' is not a valid PNG image: %s", path, how);
}

static bool slice_image_check_header(
    const struct source *source, const unsigned char *at, struct slice_image *out,
    struct problem *problem)
{
    const char *path = source->path;
    static const unsigned char signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    if (memcmp(at, signature, 8) != 0) {
        return slice_image_broken(
            path, "it does not start like one (only PNG images are read)", problem);
    }
    if (memcmp(at + 12, "IHDR", 4) != 0 || slice_image_big32(at + 8) != 13) {
        return slice_image_broken(path, "its first chunk is not a header (IHDR)", problem);
    }
    if (crc32(0, at + 12, 17) != slice_image_big32(at + 29)) {
        return slice_image_broken(path, "the sum of its header is wrong", problem);
    }
    const uint32_t width = slice_image_big32(at + 16);
    const uint32_t height = slice_image_big32(at + 20);
    const unsigned depth = at[24];
    const unsigned colour = at[25];
    const bool small = colour == 0 || colour == 3; // grey and palette may have 1, 2, 4 bits
    const bool deep = colour != 3;
    const bool known = colour == 0 || colour == 2 || colour == 3 || colour == 4 || colour == 6;
    if (!known || !(depth == 8 || (deep && depth == 16) ||
                    (small && (depth == 1 || depth == 2 || depth == 4)))) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is not a valid PNG image: %u bits with colour type %u do not exist", path, depth,
            colour);
    }
    if (at[26] != 0 || at[27] != 0 || at[28] > 1) {
        return slice_image_broken(
            path, "its header names an unknown compression or interlace", problem);
    }
    if (width == 0 || height == 0) {
        return slice_image_broken(path, "its width or height is 0", problem);
    }
    if (width > STBI_MAX_DIMENSIONS || height > STBI_MAX_DIMENSIONS) {
        return problem_set(
            problem, PROBLEM_LIMIT, "'%s' has %ux%u pixels; the limit is %u a side", path, width,
            height, STBI_MAX_DIMENSIONS);
    }
    static const unsigned channels[7] = { 1, 0, 3, 1, 2, 0, 4 };
    const uint64_t row = ((uint64_t)width * channels[colour] * depth + 7) / 8;
    if (row * height / MOST_DEFLATE > source->size) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' should have %ux%u pixels, but its %" PRIu64
            " bytes cannot hold so many; it is damaged or cut short",
            path, width, height, source->size);
    }
    *out = (struct slice_image){
        .width = width,
        .height = height,
        .channels = colour == 3 ? 3 : channels[colour],
        .bits = depth == 16 ? 16 : 8,
    };
    return true;
}

// Checks that every chunk lies within the file and has the right checksum, because the decoder does
// not. A CgBI chunk marks Apple's variant, which is not PNG.
static bool slice_image_check_chunks(
    const char *path, const unsigned char *bytes, size_t size, struct problem *problem)
{
    bool data = false;
    for (size_t at = 8; size - at >= 12;) {
        const uint32_t length = slice_image_big32(bytes + at);
        const unsigned char *chunk = bytes + at + 4;
        if (length > size - at - 12) {
            return slice_image_broken(path, "it is cut short", problem);
        }
        if (crc32(0, chunk, length + 4) != slice_image_big32(chunk + 4 + length)) {
            return slice_image_broken(
                path, "the sum of a chunk is wrong, its data are corrupt", problem);
        }
        if (at > 8 && memcmp(chunk, "IHDR", 4) == 0) {
            return slice_image_broken(path, "it has two headers", problem);
        }
        data |= memcmp(chunk, "IDAT", 4) == 0;
        if (memcmp(chunk, "IEND", 4) == 0) {
            return data || slice_image_broken(path, "it holds no image data", problem);
        }
        at += (size_t)length + 12;
    }
    return slice_image_broken(path, "it is cut short", problem);
}

bool slice_image_probe(struct source *source, struct slice_image *out, struct problem *problem)
{
    unsigned char header[HEADER_SIZE] = { 0 };
    *out = (struct slice_image){ 0 };
    if (source->size == 0) {
        return slice_image_broken(source->path, "the file is empty", problem);
    }
    source_peek(source, header, sizeof header);
    return slice_image_check_header(source, header, out, problem);
}

bool slice_image_read(
    struct source *source, uint64_t max_bytes, struct slice_image *out, struct problem *problem)
{
    unsigned char *file = NULL;
    struct slice_image image;
    *out = (struct slice_image){ 0 };
    if (!slice_image_probe(source, &image, problem)) {
        return false;
    }
    // At most 16384 * 16384 pixels of four 16-bit channels and a filter byte per row: no overflow.
    const uint64_t pixels = (uint64_t)image.width * image.height;
    const uint64_t whole = pixels * 4 * (image.bits / 8) + image.height;
    const uint64_t limit = size_limit(max_bytes);
    if (whole > limit || source->size > limit || source->size > INT_MAX) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "'%s' has %ux%u pixels in %" PRIu64 " bytes; decoding takes %" PRIu64
            ", the limit is %" PRIu64,
            source->path, image.width, image.height, source->size, whole, limit);
    }
    file = malloc((size_t)source->size);
    if (!file) {
        return problem_no_memory(problem, "reading", source->path);
    }
    size_t got;
    bool ok = source_read(source, file, (size_t)source->size, &got, problem) &&
              slice_image_check_chunks(source->path, file, got, problem);
    if (ok) {
        int width = 0, height = 0, channels = 0;
        // Twice as much: the inflated rows of an interlaced image are longer, and they grow by
        // doubling.
        decoding.starved = false;
        decoding.most_at_once = (size_t)(whole > got ? whole : got) * 2 + 65536;
        image.pixels =
            image.bits == 16
                ? (void *)stbi_load_16_from_memory(file, (int)got, &width, &height, &channels, 0)
                : (void *)stbi_load_from_memory(file, (int)got, &width, &height, &channels, 0);
        ok = image.pixels && (uint32_t)width == image.width && (uint32_t)height == image.height;
        if (!ok) {
            const char *why = stbi_failure_reason();
            problem_set(
                problem, decoding.starved ? PROBLEM_HOST_MEMORY : PROBLEM_INPUT,
                "cannot decode '%s': %s", source->path,
                decoding.starved ? "out of memory, or its data are far more than its size explains"
                : why            ? why
                                 : "unknown fault");
        }
        image.channels = (uint32_t)channels;
    }
    free(file);
    if (!ok) {
        slice_image_destroy(&image);
        return false;
    }
    *out = image;
    return true;
}

bool slice_image_is_picture(const char *folder, const char *name)
{
    char path[PATH_MAX + NAME_MAX + 2];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unsigned char bytes[HEADER_SIZE + 4 + sizeof PICTURE_CHUNK - 1];
    // Not source_open, because the file may be an output that is about to be replaced.
    struct source source = { .fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) };
    const bool whole =
        source.fd >= 0 && source_peek_at(&source, 0, bytes, sizeof bytes) == sizeof bytes;
    if (source.fd >= 0) {
        close(source.fd);
    }
    return whole && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0 &&
           memcmp(bytes + HEADER_SIZE + 4, PICTURE_CHUNK, sizeof PICTURE_CHUNK - 1) == 0;
}

void slice_image_destroy(struct slice_image *image)
{
    free(image->pixels);
    *image = (struct slice_image){ 0 };
}

#define COPY_ROWS(sample)                                                                          \
    for (uint32_t row = 0; row < height; row++) {                                                  \
        const sample *from =                                                                       \
            (const sample *)image->pixels + ((size_t)(y + row) * image->width + x) * n;            \
        sample *to = (sample *)out + (size_t)row * width;                                          \
        unsigned differs = 0;                                                                      \
        for (uint32_t i = 0; i < width; i++) {                                                     \
            to[i] = from[(size_t)i * n];                                                           \
            differs |= (unsigned)(from[(size_t)i * n + 1 * colour] ^ to[i]);                       \
            differs |= (unsigned)(from[(size_t)i * n + 2 * colour] ^ to[i]);                       \
        }                                                                                          \
        if (differs) {                                                                             \
            return problem_set(                                                                    \
                problem, PROBLEM_INPUT,                                                            \
                "'%s' is a colour image (its channels differ in row %u); expected grey, or equal " \
                "red, green and blue",                                                             \
                path, y + row);                                                                    \
        }                                                                                          \
    }

bool image_copy_grey(
    const struct slice_image *image, const char *path, uint32_t x, uint32_t y, uint32_t width,
    uint32_t height, void *out, struct problem *problem)
{
    const size_t n = image->channels;
    const size_t colour = n >= 3 ? 1 : 0;
    if (image->bits == 16) {
        COPY_ROWS(uint16_t)
    } else {
        COPY_ROWS(uint8_t)
    }
    return true;
}
