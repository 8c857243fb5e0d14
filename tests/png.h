// PNG files for tests: valid ones, which the caller may damage.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct png {
    unsigned char *bytes; // free them
    size_t size;
};

static inline void png_big32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (unsigned char)(value >> (24 - 8 * i));
    }
}

static inline void png_chunk(struct png *png, const char *name, const void *data, size_t size)
{
    png->bytes = realloc(png->bytes, png->size + size + 12);
    unsigned char *at = png->bytes + png->size;
    png_big32(at, (uint32_t)size);
    memcpy(at + 4, name, 4);
    if (size > 0) {
        memcpy(at + 8, data, size);
    }
    png_big32(at + 8 + size, (uint32_t)crc32(0, at + 4, (uInt)(size + 4)));
    png->size += size + 12;
}

static inline void
png_begin(struct png *png, uint32_t width, uint32_t height, int depth, int colour, int interlace)
{
    unsigned char header[13] = { 0 };
    *png = (struct png){ malloc(8), 8 };
    memcpy(png->bytes, "\x89PNG\r\n\x1a\n", 8);
    png_big32(header, width);
    png_big32(header + 4, height);
    header[8] = (unsigned char)depth;
    header[9] = (unsigned char)colour;
    header[12] = (unsigned char)interlace;
    png_chunk(png, "IHDR", header, 13);
}

// `rows`: height rows of `stride` bytes, as PNG stores them (16 bits big-endian), unfiltered.
static inline void png_data(struct png *png, const void *rows, size_t stride, uint32_t height)
{
    const size_t raw = (stride + 1) * height;
    uLongf packed = compressBound(raw);
    unsigned char *plain = malloc(raw + 1);
    unsigned char *deflate = malloc(packed);
    for (uint32_t y = 0; y < height; y++) {
        plain[y * (stride + 1)] = 0;
        memcpy(plain + y * (stride + 1) + 1, (const char *)rows + y * stride, stride);
    }
    compress(deflate, &packed, plain, raw);
    png_chunk(png, "IDAT", deflate, packed);
    free(plain);
    free(deflate);
}

static const int png_channels[7] = { 1, 0, 3, 1, 2, 0, 4 }; // by colour type

// A whole image from samples in host order (uint8_t or uint16_t, channels interleaved).
static inline struct png
png_make(uint32_t width, uint32_t height, int depth, int colour, const void *samples)
{
    const size_t per_row = (size_t)width * (size_t)png_channels[colour];
    const size_t stride = per_row * (size_t)depth / 8;
    unsigned char *rows = malloc(stride * height);
    for (size_t i = 0; i < per_row * height; i++) {
        if (depth == 16) {
            const uint16_t v = ((const uint16_t *)samples)[i];
            rows[2 * i] = (unsigned char)(v >> 8);
            rows[2 * i + 1] = (unsigned char)v;
        } else {
            rows[i] = ((const uint8_t *)samples)[i];
        }
    }
    struct png png;
    png_begin(&png, width, height, depth, colour, 0);
    png_data(&png, rows, stride, height);
    png_chunk(&png, "IEND", NULL, 0);
    free(rows);
    return png;
}
