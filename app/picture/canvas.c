#include "app/picture/canvas.h"

#include "app/settings/colour.h"
#include "volumes/base/output.h"
#include "volumes/formats/slice_image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

bool canvas_create(
    uint32_t width, uint32_t height, bool transparent, struct canvas *out, struct problem *problem)
{
    *out = (struct canvas){ .width = width, .height = height, .transparent = transparent };
    out->pixels = malloc((size_t)width * height * (transparent ? 4 : 3));
    return out->pixels ||
           problem_set(
               problem, PROBLEM_HOST_MEMORY, "out of memory for a picture of %ux%u", width, height);
}

void canvas_destroy(struct canvas *canvas)
{
    free(canvas->pixels);
    *canvas = (struct canvas){ 0 };
}

static uint8_t canvas_encode(double value)
{
    value = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055;
    return (uint8_t)(fmin(fmax(value, 0), 1) * 255 + 0.5);
}

void canvas_take(
    struct canvas *canvas, const struct band *band, const uint8_t *pixels, bool swapped)
{
    const size_t channels = canvas->transparent ? 4 : 3;
    const int red = swapped ? 2 : 0, blue = 2 - red;
    for (uint32_t y = 0; y < band->height; y++) {
        uint8_t *to = canvas->pixels + channels * ((size_t)(band->y + y) * canvas->width + band->x);
        const uint8_t *from = pixels + (size_t)4 * y * band->width;
        for (uint32_t x = 0; !canvas->transparent && x < band->width; x++, from += 4, to += 3) {
            const uint8_t rgb[3] = { from[red], from[1], from[blue] };
            memcpy(to, rgb, 3);
        }
        for (uint32_t x = 0; canvas->transparent && x < band->width; x++, from += 4, to += 4) {
            const uint8_t rgba[4] = { from[red], from[1], from[blue], from[3] };
            memcpy(to, rgba, 4);
            for (int c = 0; to[3] > 0 && to[3] < 255 && c < 3; c++) {
                to[c] = canvas_encode(colour_linear(to[c]) * 255 / to[3]);
            }
        }
    }
}

// ---- the file ----
//
// stb_image_write writes it, with zlib, because its own compression is worse. A text chunk behind
// the header says that cubist drew the picture: readers of a folder of slices ignore such files.

// The compressed data. stb_image_write leaks them when it runs out of memory.
static _Thread_local unsigned char *packed_last;

static unsigned char *canvas_compress(unsigned char *data, int size, int *out_size, int quality)
{
    uLongf packed = compressBound((uLong)size);
    unsigned char *out = malloc(packed);
    if (!out || compress2(out, &packed, data, (uLong)size, quality) != Z_OK) {
        free(out);
        return NULL;
    }
    *out_size = (int)packed;
    packed_last = out;
    return out;
}

#define STBIW_ZLIB_COMPRESS    canvas_compress
#define STB_IMAGE_WRITE_STATIC // Debian's libstb, which Dear ImGui brings, has the same names
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

struct sink {
    struct output output;
    struct problem *problem;
    bool called, fine;
};

static void canvas_big32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (unsigned char)(value >> (24 - 8 * i));
    }
}

// Gets the whole file at once, and writes it with the text chunk behind its header.
static void canvas_take_file(void *context, void *data, int size)
{
    static const char text[] = PICTURE_CHUNK CUBIST_VERSION;
    enum { HEADER = 33, TEXT = sizeof text - 1 };
    struct sink *sink = context;
    unsigned char chunk[4 + TEXT + 4];
    canvas_big32(chunk, TEXT - 4); // the length is without the chunk's name
    memcpy(chunk + 4, text, TEXT);
    canvas_big32(chunk + 4 + TEXT, (uint32_t)crc32(0, chunk + 4, TEXT));
    sink->called = true;
    sink->fine =
        output_write(&sink->output, data, HEADER, sink->problem) &&
        output_write(&sink->output, chunk, sizeof chunk, sink->problem) &&
        output_write(&sink->output, (char *)data + HEADER, (size_t)size - HEADER, sink->problem);
}

bool canvas_write(
    const struct canvas *canvas, const char *path, char *placed, struct problem *problem)
{
    struct sink sink = { .problem = problem };
    if (placed ? !output_open_new(path, placed, &sink.output, problem)
               : !output_open(path, &sink.output, problem)) {
        return false;
    }
    stbi_write_png_compression_level = 6;
    packed_last = NULL;
    stbi_write_png_to_func(
        canvas_take_file, &sink, (int)canvas->width, (int)canvas->height,
        canvas->transparent ? 4 : 3, canvas->pixels, 0);
    if (!sink.called) {
        free(packed_last);
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory writing a PNG file");
    }
    if (!sink.fine) {
        output_abort(&sink.output);
        return false;
    }
    return output_commit(&sink.output, problem);
}
