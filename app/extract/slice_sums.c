#include "app/extract/slice_sums.h"

#include <stdlib.h>

void slice_sums_begin(
    const struct volume *volume, struct volume_file *file, struct slice_sum *list, size_t count,
    struct slice_sums *out)
{
    *out = (struct slice_sums){
        .volume = volume,
        .file = file,
        .list = list,
        .count = count,
    };
}

static uint64_t slice_bytes(const struct slice_sums *sums)
{
    return volume_bytes(sums->volume) / sums->volume->dim[2];
}

static void
slice_sums_note(const struct slice_sums *sums, struct slice_sum *slice, const void *samples)
{
    const uint64_t size = slice_bytes(sums);
    uLong sum = 0;
    for (uint64_t at = 0; at < size;) {
        const uint64_t left = size - at, most = UINT64_C(1) << 30;
        const uInt count = (uInt)(left < most ? left : most);
        sum = crc32(sum, (const unsigned char *)samples + at, count);
        at += count;
    }
    slice->sum = (uint32_t)sum;
    slice->has = true;
}

static bool
slice_sums_pass(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    struct slice_sums *sums = user;
    if (!volume_file_read(sums->file, z, count, samples, NULL, problem)) {
        return false;
    }
    for (size_t i = 0; i < sums->count; i++) {
        struct slice_sum *slice = &sums->list[i];
        if (!slice->has && slice->z >= z && slice->z - z < count) {
            slice_sums_note(
                sums, slice, (const char *)samples + (slice->z - z) * slice_bytes(sums));
        }
    }
    return true;
}

struct atlas_source slice_sums_source(struct slice_sums *sums)
{
    return (struct atlas_source){ slice_sums_pass, sums };
}

// The lowest slice below z that is still missing; NULL: none.
static struct slice_sum *slice_sums_next(const struct slice_sums *sums, uint32_t z)
{
    struct slice_sum *next = NULL;
    for (size_t i = 0; i < sums->count; i++) {
        struct slice_sum *slice = &sums->list[i];
        if (!slice->has && slice->z < z && (!next || slice->z < next->z)) {
            next = slice;
        }
    }
    return next;
}

bool slice_sums_read(struct slice_sums *sums, uint32_t z, struct problem *problem)
{
    const uint64_t size = slice_bytes(sums);
    char *samples = NULL;
    bool fine = true;
    for (struct slice_sum *slice; fine && (slice = slice_sums_next(sums, z));) {
        if (!sums->file->path) {
            slice_sums_note(sums, slice, (const char *)sums->volume->samples + slice->z * size);
            continue;
        }
        samples = samples ? samples : malloc(size);
        fine = samples ? slice_sums_pass(sums, slice->z, 1, samples, problem)
                       : problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a slice");
    }
    free(samples);
    return fine;
}
