#include "volumes/formats/write.h"

#include "volumes/formats/readers.h"
#include "volumes/formats/samples.h"
#include "volumes/generate.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#define CHUNK 8192 // samples that are written at a time

const struct volume_format volume_formats[] = {
    {
        .name = "nrrd",
        .extension = ".nrrd",
        .summary = "NRRD, header and samples in one file",
        .write_header = write_nrrd_header,
    },
    {
        .name = "raw",
        .extension = ".raw",
        .summary = "the samples alone, little-endian; name it NAME_WxHxD_TYPE.raw",
    },
    { 0 },
};

const struct volume_format *volume_format_find(const char *name)
{
    for (const struct volume_format *format = volume_formats; format->name; format++) {
        if (strcasecmp(name, format->name) == 0) {
            return format;
        }
    }
    return NULL;
}

const struct volume_format *volume_format_of(
    const char *path, const struct volume_format *usual, bool *gzip, struct problem *problem)
{
    const char *name = basename(path);
    const char *dot = strrchr(name, '.');
    *gzip = false;
    if (!dot || dot == name || !dot[1]) {
        return usual;
    }
    // Only the raw format has its own extension for compressed samples. An NRRD file states the
    // compression in its header.
    if (path_has_extension(path, ".raw.gz")) {
        *gzip = true;
        return volume_format_find("raw");
    }
    char known[200] = "";
    for (const struct volume_format *format = volume_formats; format->name; format++) {
        if (path_has_extension(path, format->extension)) {
            return format;
        }
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s ", format->extension);
    }
    problem_set(
        problem, PROBLEM_USAGE,
        "%.400s: unknown kind of file '%.40s', expected one of %s.raw.gz, or --format", path, dot,
        known);
    return NULL;
}

// Compresses and writes. With `flush` Z_FINISH it completes the stream.
static bool write_deflated(
    z_stream *stream, unsigned char *bytes, size_t size, int flush, struct output *output,
    struct problem *problem)
{
    unsigned char packed[16384];
    stream->next_in = bytes;
    stream->avail_in = (uInt)size;
    do {
        stream->next_out = packed;
        stream->avail_out = sizeof packed;
        const int result = deflate(stream, flush);
        assert(result != Z_STREAM_ERROR);
        (void)result;
        if (!output_write(output, packed, sizeof packed - stream->avail_out, problem)) {
            return false;
        }
    } while (stream->avail_out == 0);
    assert(stream->avail_in == 0);
    return true;
}

// `stream` is NULL where nothing is compressed.
static bool write_all(
    const struct volume *volume, const struct volume_write_params *params, z_stream *stream,
    struct output *output, struct problem *problem)
{
    const struct progress *progress = params->progress;
    const uint64_t slice = (uint64_t)volume->dim[0] * volume->dim[1];
    const bool widen = volume->file_type == VOLUME_FLOAT64;
    const size_t size = volume_type_size(volume->type);
    const size_t file_size = volume_type_size(volume->file_type);
    const uint64_t count = volume_count(volume);
    const char *samples = volume->samples;
    _Alignas(8) unsigned char chunk[CHUNK * 8];
    assert(widen ? volume->type == VOLUME_FLOAT32 : volume->type == volume->file_type);
    for (uint64_t at = 0; at < count;) {
        uint64_t from = at, left = count - at;
        if (params->make_slice) {
            from = at % slice;
            left = slice - from;
            if (from == 0) {
                params->make_slice(params->user, (uint32_t)(at / slice), volume->samples);
            }
        }
        const size_t n = left < CHUNK ? (size_t)left : CHUNK;
        const size_t bytes = n * file_size;
        for (size_t i = 0; widen && i < n; i++) {
            const double wide = (double)((const float *)samples)[from + i];
            memcpy(chunk + i * sizeof wide, &wide, sizeof wide);
        }
        if (!widen) {
            memcpy(chunk, samples + from * size, bytes);
        }
        samples_to_host(BYTE_ORDER_LITTLE, chunk, n, file_size);
        at += n;
        const int flush = at == count ? Z_FINISH : Z_NO_FLUSH;
        if (stream ? !write_deflated(stream, chunk, bytes, flush, output, problem)
                   : !output_write(output, chunk, bytes, problem)) {
            return false;
        }
        if (progress && !progress->report(progress->user, (double)at / (double)count)) {
            return problem_set(
                problem, PROBLEM_INTERRUPTED, "writing '%s' was cancelled", output->path);
        }
    }
    return true;
}

static bool write_samples(
    const struct volume *volume, const struct volume_write_params *params, struct output *output,
    struct problem *problem)
{
    if (!params->gzip) {
        return write_all(volume, params, NULL, output, problem);
    }
    z_stream stream = { 0 };
    // 15 + 16: the largest window and a gzip header, which holds no name and no time.
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        return problem_no_memory(problem, "compressing", output->path);
    }
    const bool fine = write_all(volume, params, &stream, output, problem);
    deflateEnd(&stream);
    return fine;
}

bool volume_write(
    const struct volume_format *format, const struct volume *volume, const char *path,
    const struct volume_write_params *params, struct problem *problem)
{
    struct output output;
    if (!output_open(path, &output, problem)) {
        return false;
    }
    if ((format->write_header && !format->write_header(volume, params->gzip, &output, problem)) ||
        !write_samples(volume, params, &output, problem)) {
        output_abort(&output);
        return false;
    }
    return output_commit(&output, problem);
}

bool volume_write_generated(
    const char *name, const uint32_t dim[3], enum volume_type type,
    const struct volume_format *format, const char *path, const struct volume_write_params *params,
    struct problem *problem)
{
    struct volume_write_params own = *params;
    struct volume volume;
    own.make_slice = generation_make_slice;
    own.user = generation_create(name, dim, type, INT64_MAX / 2, problem);
    if (!own.user) {
        return false;
    }
    volume_describe(dim, type, &volume);
    volume.samples = malloc(volume_bytes(&volume) / dim[2]);
    const bool fine = volume.samples ? volume_write(format, &volume, path, &own, problem)
                                     : problem_no_memory(problem, "generating", name);
    volume_destroy(&volume);
    generation_destroy(own.user);
    return fine;
}
