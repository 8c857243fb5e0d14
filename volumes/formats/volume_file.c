#include "volumes/formats/volume_file.h"

#include "volumes/base/input.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define CHUNK ((uint64_t)4 << 20) // bytes of samples that are read at a time; at least one slice

void volume_file_close(struct volume_file *file)
{
    if (file->reader) {
        file->reader->close(file->state);
    }
    if (file->spool > 0) { // 0 is standard input itself, or a zeroed struct
        close(file->spool);
    }
    free(file->path);
    contents_free(&file->contents);
    *file = (struct volume_file){ .spool = -1 };
}

bool volume_file_read(
    struct volume_file *file, uint32_t z, uint32_t count, void *samples,
    const struct progress *progress, struct problem *problem)
{
    struct input input;
    assert(z <= file->volume.dim[2] && count <= file->volume.dim[2] - z);
    input_begin(&input, progress, 0, NULL);
    return input_end(&input, file->reader->read(file->state, z, count, samples, progress, problem));
}

bool volume_file_unchanged(const struct volume_file *file, struct problem *problem)
{
    return file->reader->unchanged(file->state, problem);
}

#define ALWAYS(value)    true
#define IS_FINITE(value) (value >= -FLT_MAX && value <= FLT_MAX)

// The loop has no branches, so that compilers can vectorise it.
#define RANGE_OF(name, sample, counts, least, most)                                                \
    static struct slice_range name(const void *samples, uint64_t count)                            \
    {                                                                                              \
        const sample *at = samples;                                                                \
        sample min = most, max = least;                                                            \
        for (uint64_t i = 0; i < count; i++) {                                                     \
            const bool has = counts(at[i]);                                                        \
            min = has && at[i] < min ? at[i] : min;                                                \
            max = has && at[i] > max ? at[i] : max;                                                \
        }                                                                                          \
        return (struct slice_range){ (double)min, (double)max };                                   \
    }

RANGE_OF(range_of_uint8, uint8_t, ALWAYS, 0, UINT8_MAX)
RANGE_OF(range_of_int8, int8_t, ALWAYS, INT8_MIN, INT8_MAX)
RANGE_OF(range_of_uint16, uint16_t, ALWAYS, 0, UINT16_MAX)
RANGE_OF(range_of_int16, int16_t, ALWAYS, INT16_MIN, INT16_MAX)
RANGE_OF(range_of_uint32, uint32_t, ALWAYS, 0, UINT32_MAX)
RANGE_OF(range_of_int32, int32_t, ALWAYS, INT32_MIN, INT32_MAX)
RANGE_OF(range_of_float32, float, IS_FINITE, -INFINITY, INFINITY)

static struct slice_range (*const range_of[VOLUME_TYPES])(const void *, uint64_t) = {
    [VOLUME_UINT8] = range_of_uint8,     [VOLUME_INT8] = range_of_int8,
    [VOLUME_UINT16] = range_of_uint16,   [VOLUME_INT16] = range_of_int16,
    [VOLUME_UINT32] = range_of_uint32,   [VOLUME_INT32] = range_of_int32,
    [VOLUME_FLOAT32] = range_of_float32,
};

// The state of volume_file_facts while it reads a share.
struct facts_reading {
    struct volume_file *file;
    const struct volume_file_share *share;
    const struct progress *progress;
    struct facts_counts *counts; // counts, ranges, making: NULL if not asked for
    struct slice_range *ranges;
    struct cubes_making *making;
    char *samples;
    uint32_t step;         // slices that are read at a time
    uint64_t done, passes; // slices read so far in all passes; number of passes
};

static bool facts_read_pass(struct facts_reading *reading, bool first, struct problem *problem)
{
    const struct volume *volume = &reading->file->volume;
    const uint64_t each = (uint64_t)volume->dim[0] * volume->dim[1];
    const size_t size = volume_type_size(volume->type);
    const uint32_t from = reading->share->from, to = reading->share->to;
    for (uint32_t z = from; z < to;) {
        const uint32_t n = to - z < reading->step ? to - z : reading->step;
        if (!volume_file_read(reading->file, z, n, reading->samples, NULL, problem)) {
            return false;
        }
        if (reading->counts) {
            facts_put(reading->counts, reading->samples, n * each);
        }
        if (reading->making && first) {
            cubes_put(reading->making, reading->samples, n);
        }
        for (uint32_t i = 0; reading->ranges && first && i < n; i++) {
            reading->ranges[z + i] =
                range_of[volume->type](reading->samples + i * each * size, each);
        }
        z += n;
        reading->done += n;
        if (!progress_report(
                reading->progress, reading->file->path, reading->done,
                reading->passes * (to - from), problem)) {
            return false;
        }
    }
    return true;
}

static bool facts_read(struct facts_reading *reading, struct problem *problem)
{
    const struct volume_file_share *share = reading->share;
    bool first = true;
    do {
        if (!facts_read_pass(reading, first, problem) ||
            (reading->counts && share->join &&
             !share->join(share->user, reading->counts, problem))) {
            return false;
        }
        first = false;
    } while (reading->counts && facts_again(reading->counts));
    return true;
}

static bool volume_file_read_facts(
    struct volume_file *file, const struct volume_file_share *share,
    const struct progress *progress, struct volume_facts *facts, struct slice_range *ranges,
    struct cubes *cubes, struct problem *problem)
{
    const struct volume *volume = &file->volume;
    const struct volume_file_share all = { .to = volume->dim[2] };
    const uint64_t slice =
        (uint64_t)volume->dim[0] * volume->dim[1] * volume_type_size(volume->type);
    struct facts_reading reading = {
        .file = file,
        .share = share ? share : &all,
        .progress = progress,
        .counts = facts ? malloc(sizeof *reading.counts) : NULL,
        .ranges = ranges,
        .passes = facts && volume_type_size(volume->type) > 2 ? 2 : 1,
    };
    const uint32_t depth = reading.share->to - reading.share->from;
    const uint32_t most = slice < CHUNK ? (uint32_t)(CHUNK / slice) : 1;
    reading.step = most < depth ? most : depth;
    reading.samples = malloc(reading.step > 0 ? reading.step * slice : 1);
    bool fine = reading.samples && (!facts || reading.counts);
    if (!fine) {
        problem_no_memory(problem, "reading", file->path);
    }
    if (cubes) {
        *cubes = (struct cubes){ 0 };
        reading.making =
            fine ? cubes_begin(volume->dim, volume->type, reading.share->from, problem) : NULL;
        fine = fine && reading.making;
    }
    if (reading.counts) {
        facts_begin(reading.counts, volume);
    }
    fine = fine && facts_read(&reading, problem);
    if (fine && facts) {
        facts_end(reading.counts, facts);
    }
    cubes_end(reading.making, fine ? cubes : NULL);
    free(reading.counts);
    free(reading.samples);
    return fine;
}

bool volume_file_facts(
    struct volume_file *file, const struct volume_file_share *share,
    const struct progress *progress, struct volume_facts *facts, struct slice_range *ranges,
    struct cubes *cubes, struct problem *problem)
{
    struct input input;
    input_begin(&input, progress, 0, NULL);
    return input_end(
        &input, volume_file_read_facts(file, share, progress, facts, ranges, cubes, problem));
}
