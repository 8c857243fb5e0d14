// Uses stb_image_write, with zlib because its own compression is worse. A text chunk behind the
// header says that cubist drew the picture: a folder of slices passes over such files.
#include "app/picture/png.h"

#include "volumes/base/output.h"
#include "volumes/formats/slice_image.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// The compressed data. stb_image_write leaks them when it runs out of memory.
static _Thread_local unsigned char *packed_last;

static unsigned char *png_compress_zlib(unsigned char *data, int size, int *out_size, int quality)
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

#define STBIW_ZLIB_COMPRESS    png_compress_zlib
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

static void png_big32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (unsigned char)(value >> (24 - 8 * i));
    }
}

// Takes the whole file at once, and puts the text chunk behind its header.
static void png_take(void *context, void *data, int size)
{
    static const char text[] = PICTURE_CHUNK CUBIST_VERSION;
    enum { HEADER = 33, TEXT = sizeof text - 1 };
    struct sink *sink = context;
    unsigned char chunk[4 + TEXT + 4];
    png_big32(chunk, TEXT - 4); // without the chunk's name
    memcpy(chunk + 4, text, TEXT);
    png_big32(chunk + 4 + TEXT, (uint32_t)crc32(0, chunk + 4, TEXT));
    sink->called = true;
    sink->fine =
        output_write(&sink->output, data, HEADER, sink->problem) &&
        output_write(&sink->output, chunk, sizeof chunk, sink->problem) &&
        output_write(&sink->output, (char *)data + HEADER, (size_t)size - HEADER, sink->problem);
}

bool png_write(
    const char *path, char *placed, uint32_t width, uint32_t height, uint32_t channels,
    const uint8_t *pixels, struct problem *problem)
{
    struct sink sink = { .problem = problem };
    if (placed ? !output_open_new(path, placed, &sink.output, problem)
               : !output_open(path, &sink.output, problem)) {
        return false;
    }
    stbi_write_png_compression_level = 6;
    packed_last = NULL;
    stbi_write_png_to_func(png_take, &sink, (int)width, (int)height, (int)channels, pixels, 0);
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
