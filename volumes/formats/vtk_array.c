#include "volumes/formats/vtk_array.h"

#include "volumes/formats/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool vtk_array_flush(struct vtk_array *array, struct problem *problem)
{
    const size_t size = sample_size(&array->samples->format);
    const size_t count = array->staged_size / size, rest = array->staged_size % size;
    unsigned char kept[8 * SAMPLE_VALUES_MOST]; // samples_put overwrites the bytes
    memcpy(kept, (unsigned char *)array->staged + count * size, rest);
    if (!samples_put(array->samples, array->staged, count, problem)) {
        return false;
    }
    memcpy(array->staged, kept, rest);
    array->staged_size = rest;
    return true;
}

// Adds bytes of samples. The caller never passes more bytes than the array still needs.
static bool vtk_array_stage(
    struct vtk_array *array, const unsigned char *bytes, size_t size, struct problem *problem)
{
    while (size > 0) {
        const size_t left = sizeof array->staged - array->staged_size;
        const size_t n = size < left ? size : left;
        memcpy((unsigned char *)array->staged + array->staged_size, bytes, n);
        array->staged_size += n;
        bytes += n;
        size -= n;
        if (array->staged_size == sizeof array->staged && !vtk_array_flush(array, problem)) {
            return false;
        }
    }
    return true;
}

// Parses a number into a sample of the file's type, in host order.
static bool vtk_array_take_number(struct vtk_array *array, struct problem *problem)
{
    const struct sample_format *format = &array->samples->format;
    const size_t size = sample_value_size(format);
    const uint64_t at = array->samples->done * sample_size(format) + array->staged_size;
    const bool real = format->type == VOLUME_FLOAT32 || format->type == VOLUME_FLOAT64;
    int64_t whole = 0;
    double wide = 0;
    array->token[array->token_filled] = 0;
    array->token_filled = 0;
    const struct volume_limits limits = volume_limits[format->type];
    const bool fine = real ? text_real(array->token, &wide)
                           : text_whole(array->token, &whole) && (double)whole >= limits.least &&
                                 (double)whole <= limits.most;
    if (!fine) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': '%s' (sample %" PRIu64 ") is not of type %s",
            array->samples->path, array->token, at / sample_size(format),
            volume_type_name(format->type));
    }
    uint64_t bytes;
    const float narrow = (float)wide;
    array->samples->overflows += format->type == VOLUME_FLOAT32 && isinf(narrow) && !isinf(wide);
    sample_store(format, real ? wide : (double)whole, &bytes);
    array->done = at + size == array->samples->count * sample_size(format);
    return vtk_array_stage(array, (const unsigned char *)&bytes, size, problem);
}

bool vtk_array_put(struct vtk_array *array, const char *text, size_t size, struct problem *problem)
{
    for (size_t i = 0; i < size && !array->done; i++) {
        if (strchr(" \n\r\t", text[i]) && text[i]) {
            if (array->token_filled > 0 && !vtk_array_take_number(array, problem)) {
                return false;
            }
            continue;
        }
        if (text[i] == 0 || array->token_filled + 1 == sizeof array->token) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': sample %" PRIu64 " of the array is not a number",
                array->samples->path,
                array->samples->done + array->staged_size / sample_size(&array->samples->format));
        }
        array->token[array->token_filled++] = text[i];
    }
    return true;
}

bool vtk_array_end(struct vtk_array *array, struct problem *problem)
{
    if (!array->done && array->token_filled > 0 && !vtk_array_take_number(array, problem)) {
        return false;
    }
    const size_t size = sample_size(&array->samples->format);
    if (!array->done) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': the array ends too early: %" PRIu64 " of its %" PRIu64 " samples are there",
            array->samples->path, array->samples->done + array->staged_size / size,
            array->samples->count);
    }
    if (!vtk_array_flush(array, problem)) {
        return false;
    }
    samples_end(array->samples);
    return true;
}
