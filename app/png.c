// The smallest writer that compresses well: each row takes the filter (none, sub, up, average,
// Paeth) with the least sum of absolute differences, as the PNG specification suggests (12.8).
#include "app/png.h"

#include "volumes/output.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put32(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)(value >> 24);
    to[1] = (uint8_t)(value >> 16);
    to[2] = (uint8_t)(value >> 8);
    to[3] = (uint8_t)value;
}

static bool chunk(
    struct output *output, const char type[4], const uint8_t *data, uint32_t size,
    struct problem *problem)
{
    uint8_t head[8], tail[4];
    put32(head, size);
    memcpy(head + 4, type, 4);
    uLong sum = crc32(0, head + 4, 4);
    if (size > 0) {
        sum = crc32(sum, data, size);
    }
    put32(tail, (uint32_t)sum);
    return output_write(output, head, 8, problem) && output_write(output, data, size, problem) &&
           output_write(output, tail, 4, problem);
}

static uint8_t paeth(int a, int b, int c)
{
    const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

// One row with one filter into out[0..size]; returns the sum that says how well it suits.
static uint64_t filter_row(
    int filter, const uint8_t *row, const uint8_t *above, uint32_t size, uint32_t step,
    uint8_t *out)
{
    uint64_t sum = 0;
    out[0] = (uint8_t)filter;
    for (uint32_t i = 0; i < size; i++) {
        const int a = i >= step ? row[i - step] : 0, b = above[i],
                  c = i >= step ? above[i - step] : 0;
        const int guess = filter == 0   ? 0
                          : filter == 1 ? a
                          : filter == 2 ? b
                          : filter == 3 ? (a + b) / 2
                                        : paeth(a, b, c);
        out[i + 1] = (uint8_t)(row[i] - guess);
        sum += (uint64_t)abs((int8_t)out[i + 1]);
    }
    return sum;
}

static bool write_rows(
    struct output *output, uint32_t width, uint32_t height, const uint8_t *pixels, uint32_t step,
    struct problem *problem)
{
    enum { CHUNK = 1 << 16 };
    const uint32_t size = width * step;
    z_stream stream = { 0 };
    bool ok = false, open = false;
    uint8_t *rows = calloc(2, size), *filtered = malloc(2 * ((size_t)size + 1));
    uint8_t *packed = malloc(CHUNK);
    if (!rows || !filtered || !packed || deflateInit(&stream, 6) != Z_OK) {
        problem_set(problem, PROBLEM_DEVICE, "out of memory writing a PNG file");
        goto done;
    }
    open = true;
    uint8_t *row = rows, *above = rows + size, *best = filtered, *trial = filtered + size + 1;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            memcpy(row + (size_t)x * step, pixels + 4 * ((size_t)y * width + x), step);
        }
        uint64_t least = UINT64_MAX;
        for (int filter = 0; filter < 5; filter++) {
            const uint64_t sum = filter_row(filter, row, above, size, step, trial);
            if (sum < least) {
                uint8_t *swap = best;
                best = trial;
                trial = swap;
                least = sum;
            }
        }
        stream.next_in = best;
        stream.avail_in = size + 1;
        const int flush = y + 1 == height ? Z_FINISH : Z_NO_FLUSH;
        do {
            stream.next_out = packed;
            stream.avail_out = CHUNK;
            deflate(&stream, flush);
            const uint32_t made = CHUNK - stream.avail_out;
            if (made > 0 && !chunk(output, "IDAT", packed, made, problem)) {
                goto done;
            }
        } while (stream.avail_out == 0);
        uint8_t *swap = row;
        row = above;
        above = swap;
    }
    ok = true;
done:
    if (open) {
        deflateEnd(&stream);
    }
    free(rows);
    free(filtered);
    free(packed);
    return ok;
}

bool png_write(
    const char *path, uint32_t width, uint32_t height, const uint8_t *pixels, bool alpha,
    struct problem *problem)
{
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    struct output output;
    if (!output_open(path, &output, problem)) {
        return false;
    }
    uint8_t header[13] = { [8] = 8, [9] = alpha ? 6 : 2 };
    put32(header, width);
    put32(header + 4, height);
    const uint8_t perceptual = 0;
    if (!output_write(&output, signature, sizeof signature, problem) ||
        !chunk(&output, "IHDR", header, sizeof header, problem) ||
        !chunk(&output, "sRGB", &perceptual, 1, problem) ||
        !write_rows(&output, width, height, pixels, alpha ? 4 : 3, problem) ||
        !chunk(&output, "IEND", NULL, 0, problem)) {
        output_abort(&output);
        return false;
    }
    return output_commit(&output, problem);
}
