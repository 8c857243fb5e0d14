#include "volumes/formats/volume_file.h"

#include "volumes/base/input.h"
#include "volumes/formats/spool.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define CHUNK ((uint64_t)4 << 20) // bytes of samples at a time, at least a slice

void volume_file_close(struct volume_file *file)
{
    if (file->reader) {
        file->reader->close(file->state);
    }
    if (file->spool > 0) { // 0 is standard input itself, or a zeroed struct
        spool_release(file->spool);
    }
    free(file->path);
    *file = (struct volume_file){ .spool = -1 };
}

bool volume_file_read(
    struct volume_file *file, uint32_t z, uint32_t count, void *samples,
    const struct progress *progress, struct problem *problem)
{
    struct input input;
    assert(!file->only_whole);
    assert(z <= file->volume.dim[2] && count <= file->volume.dim[2] - z);
    input_begin(&input, progress, 0);
    return input_end(&input, file->reader->read(file->state, z, count, samples, progress, problem));
}

bool volume_file_unchanged(const struct volume_file *file, struct problem *problem)
{
    return file->reader->unchanged(file->state, problem);
}

// Has no branches, so that compilers can vectorise it.
#define RANGE_OF(name, sample, least, most)                                                        \
    static struct slice_range name(const void *samples, uint64_t count)                            \
    {                                                                                              \
        const sample *at = samples;                                                                \
        sample min = most, max = least;                                                            \
        for (uint64_t i = 0; i < count; i++) {                                                     \
            min = at[i] < min ? at[i] : min;                                                       \
            max = at[i] > max ? at[i] : max;                                                       \
        }                                                                                          \
        return (struct slice_range){ (double)min, (double)max };                                   \
    }

RANGE_OF(range_of_uint8, uint8_t, 0, UINT8_MAX)
RANGE_OF(range_of_int8, int8_t, INT8_MIN, INT8_MAX)
RANGE_OF(range_of_uint16, uint16_t, 0, UINT16_MAX)
RANGE_OF(range_of_int16, int16_t, INT16_MIN, INT16_MAX)
RANGE_OF(range_of_uint32, uint32_t, 0, UINT32_MAX)
RANGE_OF(range_of_int32, int32_t, INT32_MIN, INT32_MAX)

static struct slice_range volume_file_range_of_float32(const void *samples, uint64_t count)
{
    const float *at = samples;
    float min = INFINITY, max = -INFINITY;
    for (uint64_t i = 0; i < count; i++) {
        const bool finite = at[i] >= -FLT_MAX && at[i] <= FLT_MAX;
        min = finite && at[i] < min ? at[i] : min;
        max = finite && at[i] > max ? at[i] : max;
    }
    return (struct slice_range){ (double)min, (double)max };
}

static struct slice_range (*const range_of[VOLUME_TYPES])(const void *, uint64_t) = {
    [VOLUME_UINT8] = range_of_uint8,
    [VOLUME_INT8] = range_of_int8,
    [VOLUME_UINT16] = range_of_uint16,
    [VOLUME_INT16] = range_of_int16,
    [VOLUME_UINT32] = range_of_uint32,
    [VOLUME_INT32] = range_of_int32,
    [VOLUME_FLOAT32] = volume_file_range_of_float32,
};

static bool volume_file_read_facts(
    struct volume_file *file, const struct progress *progress, struct volume_facts *facts,
    struct slice_range *ranges, struct cubes *cubes, struct problem *problem)
{
    const struct volume *volume = &file->volume;
    const size_t size = volume_type_size(volume->type);
    const uint64_t each = (uint64_t)volume->dim[0] * volume->dim[1];
    const uint64_t passes = facts && size > 2 ? 2 : 1, depth = volume->dim[2];
    const uint32_t most = each * size < CHUNK ? (uint32_t)(CHUNK / (each * size)) : 1;
    const uint32_t step = most < depth ? most : (uint32_t)depth;
    struct facts_counts *counts = malloc(sizeof *counts);
    struct cubes_making *making = NULL;
    char *samples = malloc(step * each * size);
    uint64_t done = 0;
    bool fine = counts && samples;
    if (!fine) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", file->path);
        goto end;
    }
    if (cubes) {
        *cubes = (struct cubes){ 0 };
        making = cubes_begin(volume->dim, volume->type, problem);
        fine = making;
        if (!fine) {
            goto end;
        }
    }
    facts_begin(counts, volume->type);
    do {
        for (uint32_t z = 0; z < depth;) {
            const uint32_t n = depth - z < step ? (uint32_t)(depth - z) : step;
            fine = volume_file_read(file, z, n, samples, NULL, problem);
            if (!fine) {
                goto end;
            }
            if (facts) {
                facts_put(counts, samples, n * each);
            }
            if (making && done < depth) {
                cubes_put(making, samples, n);
            }
            for (uint32_t i = 0; ranges && done < depth && i < n; i++) {
                ranges[z + i] = range_of[volume->type](samples + i * each * size, each);
            }
            z += n;
            done += n;
            fine = progress_report(progress, file->path, done, passes * depth, problem);
            if (!fine) {
                goto end;
            }
        }
    } while (facts && facts_again(counts));
    if (facts) {
        facts_end(counts, facts);
    }
end:
    cubes_end(making, fine ? cubes : NULL);
    free(counts);
    free(samples);
    return fine;
}

bool volume_file_facts(
    struct volume_file *file, const struct progress *progress, struct volume_facts *facts,
    struct slice_range *ranges, struct cubes *cubes, struct problem *problem)
{
    struct input input;
    input_begin(&input, progress, 0);
    return input_end(&input, volume_file_read_facts(file, progress, facts, ranges, cubes, problem));
}
