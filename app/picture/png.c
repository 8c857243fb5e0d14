// Uses stb_image_write, with zlib because its own compression is worse.
#include "app/picture/png.h"

#include "volumes/base/output.h"

#include <stdlib.h>
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

static void png_take(void *context, void *data, int size)
{
    struct sink *sink = context;
    sink->called = true;
    sink->fine = output_write(&sink->output, data, (size_t)size, sink->problem);
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
