#include "volumes/volume.h"

#include "volumes/base/size.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const char *alias;
    size_t size;
} types[] = {
    [VOLUME_UINT8] = { "uint8", "u8", 1 },      [VOLUME_INT8] = { "int8", "i8", 1 },
    [VOLUME_UINT16] = { "uint16", "u16", 2 },   [VOLUME_INT16] = { "int16", "i16", 2 },
    [VOLUME_UINT32] = { "uint32", "u32", 4 },   [VOLUME_INT32] = { "int32", "i32", 4 },
    [VOLUME_FLOAT32] = { "float32", "f32", 4 }, [VOLUME_FLOAT64] = { "float64", "f64", 8 },
    [VOLUME_FLOAT16] = { "float16", "f16", 2 },
};

const struct volume_limits volume_limits[VOLUME_TYPES] = {
    [VOLUME_UINT8] = { 0, UINT8_MAX },          [VOLUME_INT8] = { INT8_MIN, INT8_MAX },
    [VOLUME_UINT16] = { 0, UINT16_MAX },        [VOLUME_INT16] = { INT16_MIN, INT16_MAX },
    [VOLUME_UINT32] = { 0, UINT32_MAX },        [VOLUME_INT32] = { INT32_MIN, INT32_MAX },
    [VOLUME_FLOAT32] = { -INFINITY, INFINITY }, [VOLUME_FLOAT64] = { -INFINITY, INFINITY },
};

const char *volume_type_name(enum volume_type type)
{
    assert(type <= VOLUME_FLOAT16);
    return types[type].name;
}

bool volume_type_parse(const char *text, enum volume_type *out)
{
    for (int i = 0; i < VOLUME_TYPES; i++) {
        if (strcmp(text, types[i].name) == 0 || strcmp(text, types[i].alias) == 0) {
            *out = (enum volume_type)i;
            return true;
        }
    }
    return false;
}

size_t volume_type_size(enum volume_type type)
{
    assert(type <= VOLUME_FLOAT16);
    return types[type].size;
}

enum volume_type volume_type_in_memory(enum volume_type type)
{
    return type == VOLUME_FLOAT64 || type == VOLUME_FLOAT16 ? VOLUME_FLOAT32 : type;
}

uint64_t volume_count(const struct volume *volume)
{
    return (uint64_t)volume->dim[0] * volume->dim[1] * volume->dim[2];
}

uint64_t volume_bytes(const struct volume *volume)
{
    return volume_count(volume) * volume_type_size(volume->type);
}

double volume_sample(const struct volume *volume, uint32_t x, uint32_t y, uint32_t z)
{
    assert(x < volume->dim[0] && y < volume->dim[1] && z < volume->dim[2]);
    const uint64_t i = ((uint64_t)z * volume->dim[1] + y) * volume->dim[0] + x;
    return volume_type_get(volume->type, volume->samples, i);
}

void volume_describe(const uint32_t dim[3], enum volume_type type, struct volume *out)
{
    *out = (struct volume){
        .type = volume_type_in_memory(type),
        .file_type = type,
        .spacing = { 1, 1, 1 },
        .direction = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
    };
    memcpy(out->dim, dim, sizeof out->dim);
}

bool volume_create(
    const uint32_t dim[3], enum volume_type type, struct volume *out, struct problem *problem)
{
    const enum volume_type kept = volume_type_in_memory(type);
    const uint64_t wide[3] = { dim[0], dim[1], dim[2] };
    uint64_t bytes;
    *out = (struct volume){ 0 };
    // The caller has checked its own limit. Here only sizes that no memory can hold are refused.
    if (!size_check("the volume", wide, volume_type_size(kept), PTRDIFF_MAX, &bytes, problem)) {
        return false;
    }
    void *samples = calloc(bytes, 1);
    if (!samples) {
        return problem_set(
            problem, PROBLEM_HOST_MEMORY,
            "out of memory: a volume of %ux%ux%u %s needs %" PRIu64 " bytes", dim[0], dim[1],
            dim[2], volume_type_name(kept), bytes);
    }
    volume_describe(dim, type, out);
    out->samples = samples;
    return true;
}

void volume_destroy(struct volume *volume)
{
    free(volume->samples);
    *volume = (struct volume){ 0 };
}
