// Finds the extremes of cubes, slice by slice. First folds the rows of a slice that a row of cubes
// touches into one row of extremes. Then folds the samples of each cube in this row into one. Last
// folds the slice into its layer of cubes. A slice between two layers is in both. All loops run
// over neighbours in memory, so that they can be vectorised.
#include "volumes/cubes.h"

#include "volumes/base/interrupt.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const uint64_t CUBES_BETWEEN = 1 << 22; // bytes between two checks whether to go on

// The least and the greatest value at several places, in the volume's type.
struct extremes {
    void *least, *most;
};

struct cubes_making {
    struct cubes cubes;
    uint32_t dim[3]; // samples along x, y, z
    enum volume_type type;
    uint32_t from, z;          // the first slice that is put, and the next one
    struct extremes row, half; // row: extremes of the samples in a row; half: memory to fold them
    struct extremes slice;     // extremes of the cubes in the last slice
    struct extremes layer;     // extremes of the cubes in their layer so far
};

static uint32_t cubes_along(uint32_t samples, uint32_t edge)
{
    return (samples - 1) / edge + ((samples - 1) % edge != 0);
}

uint32_t cubes_edge(const uint32_t dim[3])
{
    for (uint32_t edge = 2;; edge *= 2) {
        const uint64_t layer = (uint64_t)cubes_along(dim[0], edge) * cubes_along(dim[1], edge);
        if (layer <= CUBES_MOST && layer * cubes_along(dim[2], edge) <= CUBES_MOST) {
            return edge;
        }
    }
}

void cubes_shape(const uint32_t dim[3], struct cubes *out)
{
    out->edge = cubes_edge(dim);
    for (int i = 0; i < 3; i++) {
        out->dim[i] = cubes_along(dim[i], out->edge);
    }
}

uint64_t cubes_count(const struct cubes *cubes)
{
    return (uint64_t)cubes->dim[0] * cubes->dim[1] * cubes->dim[2];
}

void cubes_destroy(struct cubes *cubes)
{
    free(cubes->range);
    *cubes = (struct cubes){ 0 };
}

#define ALWAYS(value)    true
#define IS_FINITE(value) (fabsf(value) <= FLT_MAX)
#define AS_IT_IS(value)  ((float)(value))

// The nearest float that is not above `value` (down) or not below it (up).
static float cubes_down(double value)
{
    const float near = (float)value;
    return (double)near > value ? nextafterf(near, -INFINITY) : near;
}

static float cubes_up(double value)
{
    const float near = (float)value;
    return (double)near < value ? nextafterf(near, INFINITY) : near;
}

// The functions for a type of samples. COUNTS: whether a sample counts. LEAST and MOST: limits of
// all samples. DOWN and UP: round to a float.
#define CUBES_OF(name, sample, COUNTS, LEAST, MOST, DOWN, UP)                                      \
    static void cubes_clear_##name(struct extremes *out, size_t count)                             \
    {                                                                                              \
        sample *least = out->least, *most = out->most;                                             \
        for (size_t i = 0; i < count; i++) {                                                       \
            least[i] = MOST;                                                                       \
            most[i] = LEAST;                                                                       \
        }                                                                                          \
    }                                                                                              \
    /* The extremes of two rows of samples, place by place. */                                     \
    static void cubes_set_rows_##name(                                                             \
        const sample *restrict from, const sample *restrict next, size_t count,                    \
        sample *restrict least, sample *restrict most)                                             \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            const sample low = COUNTS(from[i]) ? from[i] : MOST;                                   \
            const sample high = COUNTS(from[i]) ? from[i] : LEAST;                                 \
            const sample next_low = COUNTS(next[i]) ? next[i] : MOST;                              \
            const sample next_high = COUNTS(next[i]) ? next[i] : LEAST;                            \
            least[i] = low < next_low ? low : next_low;                                            \
            most[i] = high > next_high ? high : next_high;                                         \
        }                                                                                          \
    }                                                                                              \
    static void cubes_add_row_##name(                                                              \
        const sample *restrict from, size_t count, sample *restrict least, sample *restrict most)  \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            const sample low = COUNTS(from[i]) ? from[i] : MOST;                                   \
            const sample high = COUNTS(from[i]) ? from[i] : LEAST;                                 \
            least[i] = low < least[i] ? low : least[i];                                            \
            most[i] = high > most[i] ? high : most[i];                                             \
        }                                                                                          \
    }                                                                                              \
    static void cubes_add_##name(                                                                  \
        const sample *restrict low, const sample *restrict high, size_t count,                     \
        sample *restrict least, sample *restrict most)                                             \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            least[i] = low[i] < least[i] ? low[i] : least[i];                                      \
            most[i] = high[i] > most[i] ? high[i] : most[i];                                       \
        }                                                                                          \
    }                                                                                              \
    /* Folds the samples of a row into its cells. A cell has two neighbouring samples. */          \
    static void cubes_cells_##name(sample *low, sample *high, size_t cells)                        \
    {                                                                                              \
        for (size_t i = 0; i < cells; i++) {                                                       \
            low[i] = low[i] < low[i + 1] ? low[i] : low[i + 1];                                    \
        }                                                                                          \
        for (size_t i = 0; i < cells; i++) {                                                       \
            high[i] = high[i] > high[i + 1] ? high[i] : high[i + 1];                               \
        }                                                                                          \
    }                                                                                              \
    /* The extremes of pairs of neighbours. There is room for one more place. */                   \
    static size_t cubes_pairs_##name(                                                              \
        sample *restrict low, sample *restrict high, size_t count, sample *restrict least,         \
        sample *restrict most)                                                                     \
    {                                                                                              \
        low[count] = low[count - 1];                                                               \
        high[count] = high[count - 1];                                                             \
        const size_t pairs = (count + 1) / 2;                                                      \
        for (size_t i = 0; i < pairs; i++) {                                                       \
            least[i] = low[2 * i] < low[2 * i + 1] ? low[2 * i] : low[2 * i + 1];                  \
            most[i] = high[2 * i] > high[2 * i + 1] ? high[2 * i] : high[2 * i + 1];               \
        }                                                                                          \
        return pairs;                                                                              \
    }                                                                                              \
    /* Folds the places of making->row into those of the cubes, least and most. */                 \
    static void cubes_shrink_##name(struct cubes_making *making, sample *least, sample *most)      \
    {                                                                                              \
        size_t count = making->dim[0] - 1; /* of cells: each has two samples */                    \
        struct extremes from = making->row, to = making->half;                                     \
        cubes_cells_##name(from.least, from.most, count);                                          \
        for (size_t side = making->cubes.edge; side > 2; side /= 2) {                              \
            const struct extremes done = from;                                                     \
            count = cubes_pairs_##name(from.least, from.most, count, to.least, to.most);           \
            from = to;                                                                             \
            to = done;                                                                             \
        }                                                                                          \
        cubes_pairs_##name(from.least, from.most, count, least, most);                             \
    }                                                                                              \
    /* Every step-th sample of a face. */                                                          \
    static void cubes_add_face_##name(const sample *from, size_t count, size_t step, float *most)  \
    {                                                                                              \
        sample high = LEAST;                                                                       \
        for (size_t i = 0; i < count; i++) {                                                       \
            const sample value = COUNTS(from[i * step]) ? from[i * step] : LEAST;                  \
            high = value > high ? value : high;                                                    \
        }                                                                                          \
        *most = UP(high) > *most ? UP(high) : *most;                                               \
    }                                                                                              \
    static void cubes_add_faces_##name(                                                            \
        struct cubes *cubes, const sample *from, const uint32_t dim[3], uint32_t z)                \
    {                                                                                              \
        const size_t width = dim[0], count = width * dim[1];                                       \
        cubes_add_face_##name(from, dim[1], width, &cubes->faces[0]);                              \
        cubes_add_face_##name(from + width - 1, dim[1], width, &cubes->faces[1]);                  \
        cubes_add_face_##name(from, width, 1, &cubes->faces[2]);                                   \
        cubes_add_face_##name(from + count - width, width, 1, &cubes->faces[3]);                   \
        if (z == 0 || z == dim[2] - 1) {                                                           \
            cubes_add_face_##name(from, count, 1, &cubes->faces[z == 0 ? 4 : 5]);                  \
        }                                                                                          \
        bool whole = true;                                                                         \
        for (size_t i = 0; i < count; i++) {                                                       \
            whole &= COUNTS(from[i]);                                                              \
        }                                                                                          \
        cubes->gaps |= !whole;                                                                     \
    }                                                                                              \
    static void cubes_add_slice_##name(struct cubes_making *making, const void *samples)           \
    {                                                                                              \
        const sample *from = samples;                                                              \
        const size_t width = making->dim[0], edge = making->cubes.edge;                            \
        const size_t across = making->cubes.dim[0], count = across * making->cubes.dim[1];         \
        for (size_t y = 0; y < making->cubes.dim[1]; y++) {                                        \
            const size_t end =                                                                     \
                (y + 1) * edge + 1 < making->dim[1] ? (y + 1) * edge + 1 : making->dim[1];         \
            const sample *first = from + y * edge * width; /* two rows at least */                 \
            cubes_set_rows_##name(                                                                 \
                first, first + width, width, making->row.least, making->row.most);                 \
            for (size_t row = y * edge + 2; row < end; row++) {                                    \
                cubes_add_row_##name(                                                              \
                    from + row * width, width, making->row.least, making->row.most);               \
            }                                                                                      \
            cubes_shrink_##name(                                                                   \
                making, (sample *)making->slice.least + y * across,                                \
                (sample *)making->slice.most + y * across);                                        \
        }                                                                                          \
        cubes_add_##name(                                                                          \
            making->slice.least, making->slice.most, count, making->layer.least,                   \
            making->layer.most);                                                                   \
        /* Last: the samples are in the cache now. */                                              \
        cubes_add_faces_##name(&making->cubes, from, making->dim, making->z);                      \
    }                                                                                              \
    static void cubes_end_layer_##name(struct cubes_making *making, float(*range)[2])              \
    {                                                                                              \
        const size_t count = (size_t)making->cubes.dim[0] * making->cubes.dim[1];                  \
        const sample *least = making->layer.least, *most = making->layer.most;                     \
        for (size_t i = 0; i < count; i++) {                                                       \
            range[i][0] = DOWN(least[i]);                                                          \
            range[i][1] = UP(most[i]);                                                             \
        }                                                                                          \
    }

CUBES_OF(uint8, uint8_t, ALWAYS, 0, UINT8_MAX, AS_IT_IS, AS_IT_IS)
CUBES_OF(int8, int8_t, ALWAYS, INT8_MIN, INT8_MAX, AS_IT_IS, AS_IT_IS)
CUBES_OF(uint16, uint16_t, ALWAYS, 0, UINT16_MAX, AS_IT_IS, AS_IT_IS)
CUBES_OF(int16, int16_t, ALWAYS, INT16_MIN, INT16_MAX, AS_IT_IS, AS_IT_IS)
CUBES_OF(uint32, uint32_t, ALWAYS, 0, UINT32_MAX, cubes_down, cubes_up)
CUBES_OF(int32, int32_t, ALWAYS, INT32_MIN, INT32_MAX, cubes_down, cubes_up)
CUBES_OF(float32, float, IS_FINITE, -INFINITY, INFINITY, AS_IT_IS, AS_IT_IS)

#define FUNCTIONS(name)                                                                            \
    {                                                                                              \
        cubes_clear_##name, cubes_add_slice_##name, cubes_end_layer_##name                         \
    }
static const struct {
    void (*clear)(struct extremes *out, size_t count);
    void (*add_slice)(struct cubes_making *making, const void *samples);
    void (*end_layer)(struct cubes_making *making, float (*range)[2]);
} functions[VOLUME_TYPES] = {
    [VOLUME_UINT8] = FUNCTIONS(uint8),     [VOLUME_INT8] = FUNCTIONS(int8),
    [VOLUME_UINT16] = FUNCTIONS(uint16),   [VOLUME_INT16] = FUNCTIONS(int16),
    [VOLUME_UINT32] = FUNCTIONS(uint32),   [VOLUME_INT32] = FUNCTIONS(int32),
    [VOLUME_FLOAT32] = FUNCTIONS(float32),
};

static bool cubes_room(struct extremes *out, size_t count, enum volume_type type)
{
    out->least = malloc(count * volume_type_size(type));
    out->most = malloc(count * volume_type_size(type));
    return out->least && out->most;
}

// Allocates the ranges, in large pages if the system has them. In small pages the 16 MiB of a
// volume of 256^3 samples cost 4,096 page faults.
static float (*cubes_ranges(uint64_t count))[2]
{
    const size_t page = 1 << 21, bytes = count * sizeof(float[2]);
    if (bytes < page) {
        return malloc(bytes);
    }
    const size_t whole = (bytes + page - 1) / page * page;
    float(*range)[2] = aligned_alloc(page, whole);
    if (range) {
        madvise(range, whole, MADV_HUGEPAGE);
    }
    return range;
}

struct cubes_making *
cubes_begin(const uint32_t dim[3], enum volume_type type, uint32_t from, struct problem *problem)
{
    struct cubes_making *making = calloc(1, sizeof *making);
    if (making) {
        struct cubes *cubes = &making->cubes;
        memcpy(making->dim, dim, sizeof making->dim);
        making->type = type;
        making->from = making->z = from;
        cubes_shape(dim, cubes);
        for (int face = 0; face < 6; face++) {
            cubes->faces[face] = -INFINITY;
        }
        const size_t across = (size_t)dim[0] + 1, layer = (size_t)cubes->dim[0] * cubes->dim[1];
        cubes->range = cubes_ranges(cubes_count(cubes));
        if (cubes->range && cubes_room(&making->row, across, type) &&
            cubes_room(&making->half, across, type) && cubes_room(&making->slice, layer, type) &&
            cubes_room(&making->layer, layer, type)) {
            functions[type].clear(&making->layer, layer);
            return making;
        }
        cubes_end(making, NULL);
    }
    problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory finding the range of each cube");
    return NULL;
}

static void cubes_put_slice(struct cubes_making *making, const void *samples)
{
    const struct cubes *cubes = &making->cubes;
    const size_t count = (size_t)cubes->dim[0] * cubes->dim[1];
    functions[making->type].add_slice(making, samples);
    const uint32_t z = making->z++;
    if (z > 0 && (z % cubes->edge == 0 || z == making->dim[2] - 1)) {
        const uint32_t layer = (z - 1) / cubes->edge;
        functions[making->type].end_layer(making, cubes->range + layer * count);
        // The slice is the first one of the layer above, too.
        const struct extremes swap = making->layer;
        making->layer = making->slice;
        making->slice = swap;
    }
}

void cubes_put(struct cubes_making *making, const void *slices, uint32_t count)
{
    const uint64_t each =
        (uint64_t)making->dim[0] * making->dim[1] * volume_type_size(making->type);
    for (uint32_t i = 0; i < count; i++) {
        cubes_put_slice(making, (const char *)slices + i * each);
    }
}

static void cubes_clear(float (*range)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        range[i][0] = INFINITY;
        range[i][1] = -INFINITY;
    }
}

// Ends the last layer. Clears the layers that got no slice.
static void cubes_end_layers(struct cubes_making *making)
{
    struct cubes *cubes = &making->cubes;
    const size_t count = (size_t)cubes->dim[0] * cubes->dim[1];
    uint32_t first = 0, past = 0; // layers from `first` to before `past` have slices
    if (making->from < making->z) {
        first = making->from > 0 ? (making->from - 1) / cubes->edge : 0;
        past = (making->z - 1) / cubes->edge + 1;
        if (making->z < making->dim[2]) { // the layer continues above the last slice
            functions[making->type].end_layer(making, cubes->range + (past - 1) * count);
        }
        past = past < cubes->dim[2] ? past : cubes->dim[2];
    }
    cubes_clear(cubes->range, first * count);
    cubes_clear(cubes->range + past * count, (cubes->dim[2] - past) * count);
}

void cubes_end(struct cubes_making *making, struct cubes *out)
{
    if (!making) {
        return;
    }
    if (out) {
        cubes_end_layers(making);
        *out = making->cubes;
    } else {
        free(making->cubes.range);
    }
    const struct extremes rooms[] = { making->row, making->half, making->slice, making->layer };
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        free(rooms[i].least);
        free(rooms[i].most);
    }
    free(making);
}

bool volume_cubes(
    const struct volume *volume, const struct progress *progress, struct cubes *out,
    struct problem *problem)
{
    const uint64_t each =
        (uint64_t)volume->dim[0] * volume->dim[1] * volume_type_size(volume->type);
    struct cubes_making *making = cubes_begin(volume->dim, volume->type, 0, problem);
    *out = (struct cubes){ 0 };
    uint64_t since = 0;
    for (uint32_t z = 0; making && z < volume->dim[2]; z++) {
        cubes_put(making, (const char *)volume->samples + z * each, 1);
        since += each;
        if (since < CUBES_BETWEEN) {
            continue;
        }
        since = 0;
        if (interrupted || (progress && !progress->report(progress->user, 0))) {
            cubes_end(making, NULL);
            return problem_set(
                problem, PROBLEM_INTERRUPTED, "cancelled while the volume was looked through");
        }
    }
    cubes_end(making, out);
    return making;
}
