#include "compute/casting/skips.h"

#include "compute/atlas_keys.h"
#include "shaders/shared/casting.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_SHIFT 2
#define NUMBER_MOST 0xffffu

uint32_t skips_above(uint32_t count, uint32_t shift)
{
    return ((count - 1) >> shift) + 1;
}

void skips_shape(
    const struct gpu *gpu, const uint32_t dim[3], const uint32_t whole[3], struct skips *out)
{
    const uint32_t edge = cubes_edge(whole);
    *out = (struct skips){ .shift = LEAST_SHIFT };
    while (1u << out->shift < edge) {
        out->shift++;
    }
    for (uint64_t words = UINT64_MAX;; out->shift++) {
        uint64_t fine = 1, coarse = 1;
        for (int i = 0; i < 3; i++) {
            out->fine[i] = skips_above(dim[i] - 1, out->shift);
            out->coarse[i] = skips_above(out->fine[i], COARSE_SHIFT);
            fine *= out->fine[i];
            coarse *= out->coarse[i];
        }
        words = fine + coarse;
        if (words <= gpu->properties.limits.maxTexelBufferElements) {
            out->words = (uint32_t)words;
            return;
        }
    }
}

// The key of a cube's least or greatest sample. Rounding may have moved it beyond the type's range.
static uint32_t skips_key_of(enum volume_type type, float value)
{
    if (type == VOLUME_FLOAT32) {
        return atlas_key_of_float(value);
    }
    const double most = ldexp(1, 8 * (int)volume_type_size(type)) - 1;
    const double key = (double)value - atlas_key_least(type);
    return (uint32_t)(key < 0 ? 0 : key > most ? most : key);
}

// Sets the extremes of `to` coarser cubes along x, y, z. Each has 2^shift cubes of `from` a side.
static void skips_reduce(
    const float (*from)[2], const uint32_t dim[3], uint32_t shift, const uint32_t to[3],
    float (*out)[2])
{
    for (size_t i = 0; i < (size_t)to[0] * to[1] * to[2]; i++) {
        out[i][0] = INFINITY;
        out[i][1] = -INFINITY;
    }
    for (uint32_t z = 0; z < dim[2]; z++) {
        for (uint32_t y = 0; y < dim[1]; y++) {
            float(*row)[2] = out + ((size_t)(z >> shift) * to[1] + (y >> shift)) * to[0];
            for (uint32_t x = 0; x < dim[0]; x++, from++) {
                float *own = row[x >> shift];
                own[0] = own[0] < (*from)[0] ? own[0] : (*from)[0];
                own[1] = own[1] > (*from)[1] ? own[1] : (*from)[1];
            }
        }
    }
}

// The own cells of an atlas along an axis: `low` up to, but not including, `high`, counted from the
// atlas's first sample. That is sample `base` of the volume.
struct skips_axis {
    uint32_t base, low, high;
};

// The volume's cubes with own cells of a fine cube: *first up to, but not including, *end.
static void skips_reach(
    const struct skips_axis *axis, uint32_t edge, uint32_t shift, uint32_t fine, uint32_t *first,
    uint32_t *end)
{
    uint32_t from = fine << shift, to = (fine + 1) << shift;
    from = from > axis->low ? from : axis->low;
    to = to < axis->high ? to : axis->high;
    *first = *end = 0;
    if (from < to) {
        *first = (axis->base + from) / edge;
        *end = (axis->base + to - 1) / edge + 1;
    }
}

// The extremes of a fine cube: those of the volume's cubes `first` up to, but not including, `end`.
static void skips_gather(
    const struct cubes *cubes, const uint32_t first[3], const uint32_t end[3], float out[2])
{
    out[0] = INFINITY;
    out[1] = -INFINITY;
    for (uint32_t z = first[2]; z < end[2]; z++) {
        for (uint32_t y = first[1]; y < end[1]; y++) {
            const float(*row)[2] =
                (const float(*)[2])cubes->range + ((size_t)z * cubes->dim[1] + y) * cubes->dim[0];
            for (uint32_t x = first[0]; x < end[0]; x++) {
                out[0] = out[0] < row[x][0] ? out[0] : row[x][0];
                out[1] = out[1] > row[x][1] ? out[1] : row[x][1];
            }
        }
    }
}

// The extremes of all fine cubes.
static void skips_gather_all(
    const struct skips *shape, const struct cubes *cubes, const struct atlas *atlas,
    float (*out)[2])
{
    const struct skips_axis axes[3] = {
        { .high = atlas->dim[0] - 1 },
        { atlas->base_y, atlas->own_y_first, atlas->own_y_last },
        { atlas->base_z, atlas->own_first, atlas->own_last },
    };
    uint32_t first[3], end[3];
    for (uint32_t z = 0; z < shape->fine[2]; z++) {
        skips_reach(&axes[2], cubes->edge, shape->shift, z, &first[2], &end[2]);
        for (uint32_t y = 0; y < shape->fine[1]; y++) {
            skips_reach(&axes[1], cubes->edge, shape->shift, y, &first[1], &end[1]);
            for (uint32_t x = 0; x < shape->fine[0]; x++) {
                skips_reach(&axes[0], cubes->edge, shape->shift, x, &first[0], &end[0]);
                skips_gather(cubes, first, end, *out++);
            }
        }
    }
}

// Sets base, most and bits from the extremes of `count` cubes.
static void
skips_scale(struct skips *shape, enum volume_type type, const float (*range)[2], size_t count)
{
    float least = INFINITY, most = -INFINITY;
    shape->base = shape->most = shape->bits = 0;
    for (size_t i = 0; i < count; i++) {
        least = range[i][0] < least ? range[i][0] : least;
        most = range[i][1] > most ? range[i][1] : most;
    }
    if (least <= most) {
        shape->base = skips_key_of(type, least);
        shape->most = skips_key_of(type, most);
    }
    while ((shape->most - shape->base) >> shape->bits > NUMBER_MOST) {
        shape->bits++;
    }
}

static void skips_write(
    const struct skips *shape, enum volume_type type, const float (*range)[2], size_t count,
    uint32_t *words)
{
    for (size_t i = 0; i < count; i++) {
        words[i] = SKIPS_NOTHING;
        if (range[i][0] <= range[i][1]) {
            const uint32_t least = (skips_key_of(type, range[i][0]) - shape->base) >> shape->bits;
            const uint32_t most = (skips_key_of(type, range[i][1]) - shape->base) >> shape->bits;
            words[i] = least << 16 | most;
        }
    }
}

bool skips_fill(
    struct skips *shape, const struct cubes *cubes, const struct atlas *atlas, uint32_t *words,
    struct problem *problem)
{
    const enum volume_type type = atlas->type;
    const uint32_t *fine = shape->fine, *coarse = shape->coarse;
    const size_t fines = (size_t)fine[0] * fine[1] * fine[2], coarses = shape->words - fines;
    float(*range)[2] = malloc(shape->words * sizeof *range);
    if (!range) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the cubes of rays");
    }
    skips_gather_all(shape, cubes, atlas, range);
    skips_reduce((const float(*)[2])range, fine, COARSE_SHIFT, coarse, range + fines);
    skips_scale(shape, type, (const float(*)[2])(range + fines), coarses);
    skips_write(shape, type, (const float(*)[2])range, shape->words, words);
    free(range);
    return true;
}

void skips_key(const struct skips *shape, uint32_t key, uint32_t *most, uint32_t *least)
{
    const bool none = key <= shape->base || key > shape->most;
    *most = none ? 0 : (key - 1 - shape->base) >> shape->bits;
    *least = none ? NUMBER_MOST + 1 : (key - shape->base) >> shape->bits;
}
