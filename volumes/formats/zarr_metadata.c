// The metadata of Zarr 2 (.zarray) and Zarr 3 (zarr.json).
#include "volumes/formats/zarr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CODECS_READ "bytes, transpose, sharding_indexed, gzip, zlib, zstd, blosc, lz4 and crc32c"

bool zarr_refuse(const char *what, struct problem *problem, const char *why, const char *word)
{
    return problem_set(problem, PROBLEM_INPUT, "'%s': %s%.60s", what, why, word);
}

// The bits of a float16 that is nearest below, or is, the value.
static uint16_t zarr_metadata_half(double value)
{
    uint16_t bits = isnan(value) ? 0x7e00 : 0;
    for (uint16_t bit = 0x4000; bit > 0 && !isnan(value); bit >>= 1) {
        bits |= (bits | bit) <= 0x7c00 && volume_half(bits | bit) <= fabs(value) ? bit : 0;
    }
    return signbit(value) ? bits | 0x8000 : bits;
}

// The number that a fill value stands for.
static bool zarr_metadata_fill_number(const json_t *value, double *out)
{
    static const struct {
        const char *word;
        double number;
    } words[] = { { "NaN", NAN }, { "Infinity", INFINITY }, { "-Infinity", -INFINITY } };
    *out = json_is_true(value) ? 1 : json_real_value(value);
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(metadata_text(value), words[i].word) == 0) {
            *out = words[i].number;
            return true;
        }
    }
    return !value || json_is_real(value) || json_is_boolean(value) || json_is_null(value);
}

bool zarr_fill(const json_t *value, struct zarr_array *array)
{
    const struct sample_format *format = &array->format;
    const size_t size = sample_size(format);
    _Alignas(8) unsigned char number[8] = { 0 }; // in the host's byte order
    double real;
    char end;
    unsigned long long bits;
    memset(array->fill, 0, sizeof array->fill);
    if (sscanf(metadata_text(value), "0x%16llx%c", &bits, &end) == 1) {
        for (size_t i = 0; i < size; i++) {
            array->fill[i] =
                (unsigned char)(bits >> 8 * (format->order == BYTE_ORDER_BIG ? size - 1 - i : i));
        }
        return true;
    }
    if (!zarr_metadata_fill_number(value, &real)) {
        return false;
    }
    if (format->type == VOLUME_FLOAT16) {
        const uint16_t half = zarr_metadata_half(real);
        memcpy(number, &half, size);
    } else if (!format->wide) {
        const struct volume_limits *limits = &volume_limits[format->type];
        if (isfinite(limits->most) &&
            (!(real >= limits->least && real <= limits->most) || real != floor(real))) {
            return false;
        }
        volume_type_put(format->type, number, 0, real);
    } else {
        const bool is_signed = format->type == VOLUME_INT32;
        if (!(real >= (is_signed ? -0x1p63 : 0)) || real != floor(real)) {
            return false;
        }
        // A fill value that float64 cannot hold becomes infinite. It is refused only if a sample
        // has it.
        const uint64_t whole = real >= (is_signed ? 0x1p63 : 0x1p64) ? UINT64_MAX >> is_signed
                               : real < 0                            ? (uint64_t)(int64_t)real
                                                                     : (uint64_t)real;
        memcpy(number, &whole, size);
    }
    samples_to_host(format->order, number, 1, size);
    memcpy(array->fill, number, size);
    return true;
}

bool zarr_read_axes(
    const json_t *sizes, const json_t *chunks, const char *words, const char *what,
    struct zarr_array *out, struct problem *problem)
{
    uint64_t size[ZARR_AXES], chunk[ZARR_AXES];
    out->axes = json_array_size(sizes);
    bool fine = out->axes > 0 && out->axes <= ZARR_AXES &&
                metadata_counts(sizes, size, out->axes) &&
                metadata_counts(chunks, chunk, out->axes);
    for (size_t i = 0; fine && i < out->axes; i++) {
        // Blocks of N5 are cut at the ends.
        const uint64_t most = out->n5 && chunk[i] > size[i] ? size[i] : chunk[i];
        out->axis[out->n5 ? out->axes - 1 - i : i] =
            (struct zarr_axis){ .size = size[i], .chunk = most, .shard = most, .step = 1 };
        out->stored[i] = (uint8_t)i;
        fine = most > 0;
    }
    return fine || zarr_refuse(what, problem, words, " are not understood");
}

bool zarr2_describe(
    const struct zarr_node *node, const char *what, struct zarr_array *out, struct problem *problem)
{
    const json_t *of = node->metadata, *compressor = json_object_get(of, "compressor");
    const json_t *filters = json_object_get(of, "filters");
    const json_t *names = json_object_get(node->attributes, "_ARRAY_DIMENSIONS");
    const char *type = metadata_member(of, "dtype"),
               *separator = metadata_member(of, "dimension_separator");
    *out = (struct zarr_array){ .prefix = "", .separator = *separator == '/' ? '/' : '.' };
    snprintf(out->type, sizeof out->type, "%s", type);
    if (!zarr_read_axes(
            json_object_get(of, "shape"), json_object_get(of, "chunks"), "its shape and its chunks",
            what, out, problem)) {
        return false;
    }
    if (!*type || !strchr("<>|", *type) ||
        !sample_format_named(WORDS_NUMPY, type + 1, &out->format)) {
        return zarr_refuse(what, problem, "cubist does not read samples of type ", out->type);
    }
    out->format.order = *type == '>' ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
    for (size_t i = 0; strcmp(metadata_member(of, "order"), "F") == 0 && i < out->axes; i++) {
        out->stored[i] = (uint8_t)(out->axes - 1 - i);
    }
    for (size_t i = 0; i < out->axes; i++) {
        zarr_axis_name(&out->axis[i], metadata_text(json_array_get(names, i)), "");
    }
    for (size_t i = 0; i <= json_array_size(filters); i++) {
        const json_t *codec =
            i < json_array_size(filters) ? json_array_get(filters, i) : compressor;
        const char *name = metadata_member(codec, "id");
        if (json_is_object(codec) && !codecs_add(&out->codecs, name)) {
            return zarr_refuse(what, problem, "cubist reads " CODECS_READ ", not ", name);
        }
    }
    return zarr_fill(json_object_get(of, "fill_value"), out) ||
           zarr_refuse(what, problem, "its fill value is not one of type ", out->type);
}

// ---- Zarr 3 ----

// Applies a codec "transpose": samples are stored in the order of the axes that it names.
static bool zarr3_transpose(const json_t *configuration, struct zarr_array *out)
{
    uint64_t order[ZARR_AXES];
    const struct zarr_array before = *out;
    unsigned seen = 0;
    bool fine = metadata_counts(json_object_get(configuration, "order"), order, out->axes);
    for (size_t i = 0; fine && i < out->axes; i++) {
        fine = order[i] < out->axes && !(seen & 1u << order[i]);
        seen |= fine ? 1u << order[i] : 0;
        out->stored[i] = fine ? before.stored[order[i]] : 0;
    }
    return fine;
}

// A codec is an object with a name, or only a name.
static const char *zarr3_codec_name(const json_t *codec)
{
    return json_is_string(codec) ? metadata_text(codec) : metadata_member(codec, "name");
}

// Whether the index of shards is of the only two forms that are in use, with or without a sum.
static bool zarr3_read_index(const json_t *configuration, struct zarr_array *out)
{
    const json_t *codecs = json_object_get(configuration, "index_codecs");
    const char *place = metadata_member(configuration, "index_location");
    const json_t *bytes = json_array_get(codecs, 0), *sum = json_array_get(codecs, 1);
    out->index_first = strcmp(place, "start") == 0;
    out->index_summed = sum != NULL;
    return json_array_size(codecs) <= 2 && strcmp(zarr3_codec_name(bytes), "bytes") == 0 &&
           strcmp(metadata_member(json_object_get(bytes, "configuration"), "endian"), "big") != 0 &&
           (!sum || strcmp(zarr3_codec_name(sum), "crc32c") == 0);
}

static bool zarr3_read_codecs(
    const json_t *codecs, const char *what, struct zarr_array *out, struct problem *problem);

// Reads what is in a shard: smaller chunks, with codecs of their own.
static bool zarr3_read_shards(
    const json_t *configuration, const char *what, struct zarr_array *out, struct problem *problem)
{
    uint64_t chunk[ZARR_AXES];
    bool fine = !out->sharded && zarr3_read_index(configuration, out) &&
                metadata_counts(json_object_get(configuration, "chunk_shape"), chunk, out->axes);
    for (size_t i = 0; fine && i < out->axes; i++) {
        fine = out->stored[i] == i && chunk[i] > 0 && out->axis[i].shard % chunk[i] == 0;
        out->axis[i].chunk = chunk[i];
    }
    out->sharded = true;
    return fine ? zarr3_read_codecs(json_object_get(configuration, "codecs"), what, out, problem)
                : zarr_refuse(what, problem, "its shards are not of a form that cubist reads", "");
}

static bool zarr3_read_codecs(
    const json_t *codecs, const char *what, struct zarr_array *out, struct problem *problem)
{
    bool bytes = false; // the codec that makes bytes of samples was there
    for (size_t i = 0; i < json_array_size(codecs); i++) {
        const json_t *codec = json_array_get(codecs, i);
        const json_t *configuration = json_object_get(codec, "configuration");
        const char *name = zarr3_codec_name(codec);
        bool fine = false;
        if (!bytes && strcmp(name, "transpose") == 0) {
            fine = zarr3_transpose(configuration, out);
        } else if (!bytes && strcmp(name, "bytes") == 0) {
            const char *endian = metadata_member(configuration, "endian");
            fine = bytes = true;
            out->format.order = strcmp(endian, "big") == 0 ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
        } else if (
            !bytes && i + 1 == json_array_size(codecs) && strcmp(name, "sharding_indexed") == 0) {
            return zarr3_read_shards(configuration, what, out, problem);
        } else if (bytes) {
            const size_t vendor = strncmp(name, "numcodecs.", 10) == 0 ? 10 : 0;
            fine = codecs_add(&out->codecs, name + vendor);
        }
        if (!fine) {
            return zarr_refuse(
                what, problem, "cubist reads " CODECS_READ ", not so the codec ", name);
        }
    }
    return bytes || zarr_refuse(what, problem, "its codecs make no bytes of samples", "");
}

bool zarr3_describe(
    const struct zarr_node *node, const char *what, struct zarr_array *out, struct problem *problem)
{
    const json_t *of = node->metadata, *grid = json_object_get(of, "chunk_grid");
    const json_t *keys = json_object_get(of, "chunk_key_encoding"),
                 *names = json_object_get(of, "dimension_names");
    const char *separator = metadata_member(json_object_get(keys, "configuration"), "separator");
    const bool old = strcmp(metadata_member(keys, "name"), "v2") == 0;
    *out = (struct zarr_array){ .prefix = old ? "" : "c/" };
    out->separator = *separator == '.' || (!*separator && old) ? '.' : '/';
    snprintf(out->type, sizeof out->type, "%s", metadata_member(of, "data_type"));
    if (out->separator == '.' && !old) {
        out->prefix = "c.";
    }
    if (strcmp(metadata_member(grid, "name"), "regular") != 0 ||
        json_array_size(json_object_get(of, "storage_transformers")) > 0) {
        return zarr_refuse(what, problem, "its chunks are not of one size, or are transformed", "");
    }
    const json_t *chunks = json_object_get(json_object_get(grid, "configuration"), "chunk_shape");
    if (!zarr_read_axes(
            json_object_get(of, "shape"), chunks, "its shape and its chunks", what, out, problem)) {
        return false;
    }
    if (!sample_format_named(WORDS_ZARR, out->type, &out->format)) {
        return zarr_refuse(what, problem, "cubist does not read samples of type ", out->type);
    }
    for (size_t i = 0; i < out->axes; i++) {
        zarr_axis_name(&out->axis[i], metadata_text(json_array_get(names, i)), "");
    }
    if (!zarr3_read_codecs(json_object_get(of, "codecs"), what, out, problem)) {
        return false;
    }
    return zarr_fill(json_object_get(of, "fill_value"), out) ||
           zarr_refuse(what, problem, "its fill value is not one of type ", out->type);
}
