#include "volumes/formats/write.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

#define CHUNK 8192 // samples

// Converts one sample to its form in the file: little-endian, float64 widened. Returns its end.
static unsigned char *
write_samples_put(unsigned char *to, const void *from, size_t size, bool widen)
{
    uint64_t bits = 0;
    if (widen) {
        float narrow;
        memcpy(&narrow, from, sizeof narrow);
        const double wide = (double)narrow;
        memcpy(&bits, &wide, sizeof bits);
        size = 8;
    } else if (size == 1) {
        bits = *(const uint8_t *)from;
    } else if (size == 2) {
        bits = *(const uint16_t *)from;
    } else {
        bits = *(const uint32_t *)from;
    }
    for (size_t i = 0; i < size; i++) {
        *to++ = (unsigned char)(bits >> (8 * i));
    }
    return to;
}

// Compresses and writes. With `flush` Z_FINISH it completes the stream.
static bool write_samples_deflate_into(
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
static bool write_samples_write_all(
    const struct volume *volume, const struct volume_write_params *params, z_stream *stream,
    struct output *output, struct problem *problem)
{
    const struct progress *progress = params->progress;
    const uint64_t slice = (uint64_t)volume->dim[0] * volume->dim[1];
    const bool widen = volume->file_type == VOLUME_FLOAT64;
    const size_t size = volume_type_size(volume->type);
    const uint64_t count = volume_count(volume);
    const char *samples = volume->samples;
    unsigned char chunk[CHUNK * 8];
    assert(widen ? volume->type == VOLUME_FLOAT32 : volume->type == volume->file_type);
    const bool as_they_are = !widen && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
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
        unsigned char *end = chunk;
        if (as_they_are) {
            memcpy(chunk, samples + from * size, n * size);
            end += n * size;
        }
        for (size_t i = 0; !as_they_are && i < n; i++) {
            end = write_samples_put(end, samples + (from + i) * size, size, widen);
        }
        at += n;
        const size_t bytes = (size_t)(end - chunk);
        const int flush = at == count ? Z_FINISH : Z_NO_FLUSH;
        if (stream ? !write_samples_deflate_into(stream, chunk, bytes, flush, output, problem)
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

bool write_samples(
    const struct volume *volume, const struct volume_write_params *params, struct output *output,
    struct problem *problem)
{
    static const struct volume_write_params usual = { 0 };
    params = params ? params : &usual;
    if (!params->gzip) {
        return write_samples_write_all(volume, params, NULL, output, problem);
    }
    z_stream stream = { 0 };
    // 15 + 16: the largest window and a gzip header, which holds no name and no time.
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        return problem_no_memory(problem, "compressing", output->path);
    }
    const bool fine = write_samples_write_all(volume, params, &stream, output, problem);
    deflateEnd(&stream);
    return fine;
}
