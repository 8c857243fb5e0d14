#include "volumes/formats/samples.h"

#include "volumes/base/log.h"
#include "volumes/base/size.h"
#include "volumes/formats/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void samples_to_host(enum byte_order order, void *bytes, size_t count, size_t size)
{
    if ((order == BYTE_ORDER_BIG) == (BYTE_ORDER_HOST == BYTE_ORDER_BIG)) {
        return;
    }
    if (size == 2) {
        uint16_t *at = bytes;
        for (size_t i = 0; i < count; i++) {
            at[i] = __builtin_bswap16(at[i]);
        }
    } else if (size == 4) {
        uint32_t *at = bytes;
        for (size_t i = 0; i < count; i++) {
            at[i] = __builtin_bswap32(at[i]);
        }
    } else if (size == 8) {
        uint64_t *at = bytes;
        for (size_t i = 0; i < count; i++) {
            at[i] = __builtin_bswap64(at[i]);
        }
    }
}

// The names of each type in each format, in the order of enum sample_words. MET_LONG has 32 bits on
// every machine.
static const struct {
    enum volume_type type;
    bool wide;
    const char *words[7];
} sample_types[] = {
    { VOLUME_INT8,
      false,
      { "signed char|int8|int8_t", "MET_CHAR", "INT8", "Int8", "char|signed_char", "i1", "int8" } },
    { VOLUME_UINT8,
      false,
      { "uchar|unsigned char|uint8|uint8_t", "MET_UCHAR", "UINT8|UCHAR", "UInt8", "unsigned_char",
        "b1|u1", "bool|uint8" } },
    { VOLUME_INT16,
      false,
      { "short|short int|signed short|signed short int|int16|int16_t", "MET_SHORT", "INT16",
        "Int16", "short", "i2", "int16" } },
    { VOLUME_UINT16,
      false,
      { "ushort|unsigned short|unsigned short int|uint16|uint16_t", "MET_USHORT",
        "UINT16|USHORT|USHORT_12", "UInt16", "unsigned_short", "u2", "uint16" } },
    { VOLUME_INT32,
      false,
      { "int|signed int|int32|int32_t", "MET_INT|MET_LONG", "INT32", "Int32", "int|vtkidtype", "i4",
        "int32" } }, // vtkIdType is written as int
    { VOLUME_UINT32,
      false,
      { "uint|unsigned int|uint32|uint32_t", "MET_UINT|MET_ULONG", "UINT32", "UInt32",
        "unsigned_int", "u4", "uint32" } },
    { VOLUME_INT32,
      true,
      { "longlong|long long|long long int|signed long long|signed long long int|int64|int64_t",
        "MET_LONG_LONG", "INT64", "Int64", "long|vtktypeint64", "i8", "int64" } },
    { VOLUME_UINT32,
      true,
      { "ulonglong|unsigned long long|unsigned long long int|uint64|uint64_t", "MET_ULONG_LONG",
        "UINT64", "UInt64", "unsigned_long|vtktypeuint64", "u8", "uint64" } },
    { VOLUME_FLOAT32,
      false,
      { "float", "MET_FLOAT", "FLOAT32|FLOAT", "Float32", "float", "f4", "float32" } },
    { VOLUME_FLOAT64,
      false,
      { "double", "MET_DOUBLE", "FLOAT64", "Float64", "double", "f8", "float64" } },
    { VOLUME_FLOAT16, false, { [WORDS_NUMPY] = "f2", [WORDS_ZARR] = "float16" } },
};

bool sample_format_named(enum sample_words words, const char *word, struct sample_format *out)
{
    for (size_t i = 0; i < sizeof sample_types / sizeof *sample_types; i++) {
        const char *list = sample_types[i].words[words];
        if (list && (words == WORDS_VTI ? strcmp(word, list) == 0 : text_is_one(word, list))) {
            out->type = sample_types[i].type;
            out->wide = sample_types[i].wide;
            return true;
        }
    }
    return false;
}

void sample_store(const struct sample_format *format, double value, void *out)
{
    if (format->wide) {
        *(int64_t *)out = (int64_t)value;
    } else {
        volume_type_put(format->type, out, 0, value);
    }
}

uint64_t sample_bits(const unsigned char *bytes, size_t size, bool big)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        bits = bits << 8 | bytes[big ? i : size - 1 - i];
    }
    return bits;
}

double sample_real(const unsigned char *bytes, size_t size, bool big)
{
    const uint64_t bits = sample_bits(bytes, size, big);
    const uint32_t low = (uint32_t)bits;
    double wide;
    float narrow;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return size == 8 ? wide : (double)narrow;
}

size_t sample_value_size(const struct sample_format *format)
{
    return format->wide ? 8 : volume_type_size(format->type);
}

size_t sample_size(const struct sample_format *format)
{
    return sample_value_size(format) * (format->values + !format->values);
}

static bool samples_are_lengths(const struct sample_format *format)
{
    return format->values > 1 && format->value == SAMPLE_LENGTH;
}

static bool samples_are_scaled(const struct sample_format *format)
{
    return format->slope != 0 && (format->slope != 1 || format->intercept != 0);
}

// The type of the samples in memory.
static enum volume_type samples_kept_type(const struct sample_format *format)
{
    return format->fractions ? VOLUME_UINT8
           : samples_are_scaled(format) || samples_are_lengths(format)
               ? VOLUME_FLOAT32
               : volume_type_in_memory(format->type);
}

bool sample_stays(const struct sample_format *format)
{
    return !format->wide && !format->fractions && !samples_are_scaled(format) &&
           format->type == volume_type_in_memory(format->type) && format->values <= 1;
}

bool samples_describe(
    const char *path, const uint64_t dim[3], const struct sample_format *format, uint64_t max_bytes,
    struct volume *out, struct problem *problem)
{
    assert(isfinite(format->slope) && isfinite(format->intercept));
    assert(!format->wide || format->type == VOLUME_INT32 || format->type == VOLUME_UINT32);
    assert(!format->fractions || format->type == VOLUME_FLOAT32);
    const enum volume_type kept = samples_kept_type(format);
    const uint32_t narrow[3] = { (uint32_t)dim[0], (uint32_t)dim[1], (uint32_t)dim[2] };
    char what[300];
    uint64_t bytes;
    snprintf(what, sizeof what, "'%s'", path);
    if (!size_check(what, dim, volume_type_size(kept), max_bytes, &bytes, problem)) {
        return false;
    }
    if (!size_product(bytes, sample_size(format), &bytes)) {
        return problem_set(
            problem, PROBLEM_LIMIT, "'%s': its values take more than 64 bits can count", path);
    }
    volume_describe(narrow, kept, out);
    out->file_type = format->fractions ? VOLUME_UINT8 : format->type;
    return true;
}

// Sample `i` of `bytes`, which are in host order, as a double. Exact for every type that is scaled.
static double samples_value_at(const struct sample_format *format, const void *bytes, size_t i)
{
    return !format->wide                  ? volume_type_get(format->type, bytes, i)
           : format->type == VOLUME_INT32 ? (double)((const int64_t *)bytes)[i]
                                          : (double)((const uint64_t *)bytes)[i];
}

static void samples_put_float(struct samples *samples, const void *bytes, size_t count)
{
    const struct sample_format *format = &samples->format;
    const bool scaled = samples_are_scaled(format);
    float *to = (float *)samples->to + samples->done;
    for (size_t i = 0; i < count; i++) {
        const double stored = samples_value_at(format, bytes, i);
        to[i] = (float)(scaled ? format->slope * stored + format->intercept : stored);
        samples->overflows += isinf(to[i]) && !isinf(stored);
    }
}

static bool
samples_put_wide(struct samples *samples, const void *bytes, size_t count, struct problem *problem)
{
    const bool is_signed = samples->format.type == VOLUME_INT32;
    uint32_t *to = (uint32_t *)samples->to + samples->done;
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = ((const uint64_t *)bytes)[i];
        to[i] = (uint32_t)bits;
        if (bits != (is_signed ? (uint64_t)(int64_t)(int32_t)to[i] : to[i])) {
            char text[32];
            snprintf(text, sizeof text, is_signed ? "%" PRId64 : "%" PRIu64, bits);
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': sample %" PRIu64 " is %s, which 32 bits cannot hold; convert the samples to "
                "float first",
                samples->path, samples->first + samples->done + i, text);
        }
    }
    return true;
}

// In text files VTK writes scalars of type unsigned char as fractions of 255.
static void samples_put_fractions(struct samples *samples, const float *from, size_t count)
{
    uint8_t *to = (uint8_t *)samples->to + samples->done;
    for (size_t i = 0; i < count; i++) {
        const float value = 255 * from[i];
        to[i] = value >= 255 ? 255 : value > 0 ? (uint8_t)(value + 0.5f) : 0;
    }
}

static void samples_put_lengths(struct samples *samples, const void *bytes, size_t count)
{
    const struct sample_format *format = &samples->format;
    float *to = (float *)samples->to + samples->done;
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (size_t k = 0; k < format->values; k++) {
            const double value = samples_value_at(format, bytes, i * format->values + k);
            sum += value * value;
        }
        to[i] = (float)sqrt(sum);
        samples->overflows += isinf(to[i]) && !isinf(sum);
    }
}

// Moves the selected value of each sample together.
static void samples_select(const struct sample_format *format, void *bytes, size_t count)
{
    const size_t size = sample_value_size(format), step = sample_size(format);
    const char *from = (const char *)bytes + format->value * size;
    for (size_t i = 0; i < count; i++) {
        memmove((char *)bytes + i * size, from + i * step, size);
    }
}

bool samples_put(struct samples *samples, void *bytes, size_t count, struct problem *problem)
{
    const struct sample_format *format = &samples->format;
    const size_t size = sample_value_size(format);
    assert(count <= samples->count - samples->done);
    samples_to_host(format->order, bytes, count * (sample_size(format) / size), size);
    char *to = (char *)samples->to + samples->done * size;
    if (format->values > 1 && format->value != SAMPLE_LENGTH) {
        samples_select(format, bytes, count);
    }
    if (samples_are_lengths(format)) {
        samples_put_lengths(samples, bytes, count);
    } else if (format->fractions) {
        samples_put_fractions(samples, bytes, count);
    } else if (format->type != volume_type_in_memory(format->type) || samples_are_scaled(format)) {
        samples_put_float(samples, bytes, count);
    } else if (format->wide) {
        if (!samples_put_wide(samples, bytes, count, problem)) {
            return false;
        }
    } else if (bytes != to) {
        memcpy(to, bytes, count * size);
    }
    samples->done += count;
    return true;
}

void samples_end(const struct samples *samples)
{
    assert(samples->done == samples->count);
    if (samples->overflows > 0) {
        log_warn(
            "'%s': %" PRIu64 " samples are too large for float32 and became infinite",
            samples->path, samples->overflows);
    }
}
