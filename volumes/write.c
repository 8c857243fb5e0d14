#include "volumes/write.h"

#include "volumes/output.h"

#include <assert.h>
#include <string.h>

#define CHUNK 4096 // samples

// The sample as the file has it: little-endian, float64 widened. Returns its end.
static unsigned char *put(unsigned char *to, const void *from, size_t size, bool widen)
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

bool volume_write_raw(const struct volume *volume, const char *path, struct problem *problem)
{
    const bool widen = volume->file_type == VOLUME_FLOAT64;
    const size_t size = volume_type_size(volume->type);
    const uint64_t count = volume_count(volume);
    const char *samples = volume->samples;
    unsigned char chunk[CHUNK * 8];
    struct output output;
    assert(widen ? volume->type == VOLUME_FLOAT32 : volume->type == volume->file_type);
    if (!output_open(path, &output, problem)) {
        return false;
    }
    for (uint64_t at = 0; at < count;) {
        unsigned char *end = chunk;
        for (size_t i = 0; i < CHUNK && at < count; i++, at++) {
            end = put(end, samples + at * size, size, widen);
        }
        if (!output_write(&output, chunk, (size_t)(end - chunk), problem)) {
            output_abort(&output);
            return false;
        }
    }
    return output_commit(&output, problem);
}
