#include "app/cli/slice_sums.h"

#include "app/base/file_source.h"

#include <stdlib.h>
#include <string.h>

void slice_sums_begin(
    const struct volume *volume, struct volume_file *file, const uint32_t z[SHARE_SUMS],
    struct slice_sums *out)
{
    *out = (struct slice_sums){ .volume = volume, .file = file, .source = file_source(file) };
    memcpy(out->z, z, sizeof out->z);
}

static uint64_t slice_bytes(const struct slice_sums *sums)
{
    return volume_bytes(sums->volume) / sums->volume->dim[2];
}

static void slice_sums_note(struct slice_sums *sums, int i, const void *samples)
{
    const uint64_t size = slice_bytes(sums);
    uLong sum = 0;
    for (uint64_t at = 0; at < size;) {
        const uint64_t left = size - at, most = UINT64_C(1) << 30;
        const uInt count = (uInt)(left < most ? left : most);
        sum = crc32(sum, (const unsigned char *)samples + at, count);
        at += count;
    }
    sums->sums[i] = (uint32_t)sum;
    sums->has[i] = true;
}

static bool
slice_sums_pass(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    struct slice_sums *sums = user;
    if (!sums->source.read(sums->source.user, z, count, samples, problem)) {
        return false;
    }
    for (int i = 0; i < SHARE_SUMS; i++) {
        if (!sums->has[i] && sums->z[i] >= z && sums->z[i] - z < count) {
            slice_sums_note(sums, i, (const char *)samples + (sums->z[i] - z) * slice_bytes(sums));
        }
    }
    return true;
}

struct atlas_source slice_sums_source(struct slice_sums *sums)
{
    return (struct atlas_source){ slice_sums_pass, sums };
}

// The lowest slice below z that is still missing; SHARE_SUMS: none.
static int slice_sums_next(const struct slice_sums *sums, uint32_t z)
{
    int next = SHARE_SUMS;
    for (int i = 0; i < SHARE_SUMS; i++) {
        if (!sums->has[i] && sums->z[i] < z && (next == SHARE_SUMS || sums->z[i] < sums->z[next])) {
            next = i;
        }
    }
    return next;
}

bool slice_sums_read(struct slice_sums *sums, uint32_t z, struct problem *problem)
{
    const uint64_t size = slice_bytes(sums);
    char *samples = NULL;
    bool fine = true;
    for (int i; fine && (i = slice_sums_next(sums, z)) < SHARE_SUMS;) {
        if (!sums->file->path) {
            slice_sums_note(sums, i, (const char *)sums->volume->samples + sums->z[i] * size);
            continue;
        }
        samples = samples ? samples : malloc(size);
        fine = samples ? slice_sums_pass(sums, sums->z[i], 1, samples, problem)
                       : problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a slice");
    }
    free(samples);
    return fine;
}
