#include "app/cli/volume_ranks.h"

#include "app/ranks/ranks.h"
#include "compute/mesh/share.h"
#include "volumes/base/log.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

bool volume_ranks_can_read(const char *path, int count, struct problem *problem)
{
    struct stat st;
    if (count == 1 || !path) {
        return true;
    }
    if (strcmp(path, "-") == 0) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "%d processes cannot share standard input; name a file that all of them can open",
            count);
    }
    return stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) ||
           problem_set(
               problem, PROBLEM_USAGE,
               "'%.400s' is not a file but a pipe or a device, and %d processes cannot share it; "
               "name a file that all of them can open",
               path, count);
}

void volume_ranks_note(const struct volume_file *file, int count)
{
    if (count > 1 && !file->seekable) {
        log_note(
            "'%s' is compressed or text: each of %d processes decodes it from its start; cubist "
            "convert FILE -o NEW.nrrd makes a file of which each reads only its part",
            file->path, count);
    }
}

// The slices of a rank.
static void volume_ranks_slices(uint32_t depth, int rank, uint32_t *from, uint32_t *to)
{
    share_layers((uint32_t)rank + 1, (uint32_t)ranks()->count, depth, from, to);
}

static bool volume_ranks_out_of_memory(struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_HOST_MEMORY, "out of memory for the data that the ranks exchange");
}

static bool volume_ranks_go_on(void *user, double share)
{
    (void)user, (void)share;
    return ranks_go_on(NULL);
}

// Adds up the counts of all ranks. Each rank has counted a part of the file, and each gets the sum.
static bool volume_ranks_join(void *user, struct facts_counts *counts, struct problem *problem)
{
    (void)user;
    const size_t count = (size_t)ranks()->count;
    int64_t *tables;
    const size_t numbers = facts_tables(counts, &tables);
    struct facts_range *all = malloc(count * sizeof *all);
    if (!all) {
        return volume_ranks_out_of_memory(problem);
    }
    const bool fine = (numbers == 0 || ranks_sum(tables, numbers, problem)) &&
                      ranks_gather(&counts->range, sizeof *all, all, problem);
    if (fine) {
        facts_join(counts, all, count);
    }
    free(all);
    return fine;
}

// Gathers the ranges of all slices. Each rank sends a block of the same size.
static bool
volume_ranks_join_ranges(struct slice_range *ranges, uint32_t depth, struct problem *problem)
{
    const size_t count = (size_t)ranks()->count, most = (depth - 1) / count + 1;
    const size_t bytes = most * sizeof *ranges;
    struct slice_range *own = calloc(1, bytes), *all = calloc(count, bytes);
    bool fine = own && all;
    if (!fine) {
        volume_ranks_out_of_memory(problem);
    } else {
        uint32_t from, to;
        volume_ranks_slices(depth, ranks()->rank, &from, &to);
        memcpy(own, ranges + from, (to - from) * sizeof *ranges);
        fine = ranks_gather(own, bytes, all, problem);
    }
    for (int rank = 0; fine && rank < ranks()->count; rank++) {
        uint32_t from, to;
        volume_ranks_slices(depth, rank, &from, &to);
        memcpy(ranges + from, all + (size_t)rank * most, (to - from) * sizeof *ranges);
    }
    free(own);
    free(all);
    return fine;
}

// Maps a float to an integer that grows with it. ordered_float is the inverse.
static int64_t ordered_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
}

static float ordered_float(int64_t ordered)
{
    const int32_t bits = (int32_t)(ordered < 0 ? INT32_MIN - ordered : ordered);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// All ranks get the least over all ranks.
static bool volume_ranks_least(int64_t *values, size_t count, struct problem *problem)
{
    return ranks_least(values, count, problem) &&
           ranks_share(0, values, count * sizeof *values, problem);
}

// A maximum over ranks is the negated minimum of the negated values.
static bool volume_ranks_join_cubes(struct cubes *cubes, struct problem *problem)
{
    enum { BLOCK = 1 << 15 };
    const uint64_t count = cubes_count(cubes);
    int64_t *values = malloc(2 * BLOCK * sizeof *values), box[7];
    bool fine = values;
    if (!fine) {
        volume_ranks_out_of_memory(problem);
    }
    for (uint64_t first = 0; fine && first < count; first += BLOCK) {
        float(*range)[2] = cubes->range + first;
        const size_t n = count - first < BLOCK ? (size_t)(count - first) : BLOCK;
        for (size_t i = 0; i < n; i++) {
            values[2 * i] = ordered_of(range[i][0]);
            values[2 * i + 1] = -ordered_of(range[i][1]);
        }
        fine = volume_ranks_least(values, 2 * n, problem);
        for (size_t i = 0; fine && i < n; i++) {
            range[i][0] = ordered_float(values[2 * i]);
            range[i][1] = ordered_float(-values[2 * i + 1]);
        }
    }
    free(values);
    for (int face = 0; face < 6; face++) {
        box[face] = -ordered_of(cubes->faces[face]);
    }
    box[6] = -(int64_t)cubes->gaps;
    fine = fine && volume_ranks_least(box, 7, problem);
    for (int face = 0; fine && face < 6; face++) {
        cubes->faces[face] = ordered_float(-box[face]);
    }
    cubes->gaps = fine && box[6] < 0;
    return fine;
}

// What is equal in all ranks if they read the same file, or copies of it (except the time).
struct volume_mark {
    uint32_t dim[3], middle; // middle: the checksum of the slice in the middle
    int32_t type, file_type, frame, pad;
    double spacing[3], origin[3], direction[9];
    uint64_t bytes, spread;
    int64_t time;
};

static bool volume_ranks_mark(
    struct volume_file *file, const struct files_fingerprint *files, struct volume_mark *out,
    struct problem *problem)
{
    const struct volume *volume = &file->volume;
    const size_t size = volume_bytes(volume) / volume->dim[2];
    void *slice = malloc(size);
    memset(out, 0, sizeof *out);
    memcpy(out->dim, volume->dim, sizeof out->dim);
    memcpy(out->spacing, volume->spacing, sizeof out->spacing);
    memcpy(out->origin, volume->origin, sizeof out->origin);
    memcpy(out->direction, volume->direction, sizeof out->direction);
    out->type = volume->type;
    out->file_type = volume->file_type;
    out->frame = volume->frame;
    out->bytes = files->bytes;
    out->spread = files->spread;
    out->time = files->time;
    const struct progress progress = { .report = volume_ranks_go_on };
    const bool fine = slice
                          ? volume_file_read(file, volume->dim[2] / 2, 1, slice, &progress, problem)
                          : volume_ranks_out_of_memory(problem);
    if (fine) {
        out->middle = (uint32_t)crc32_z(0, slice, size);
    }
    free(slice);
    return fine;
}

// Whether two marks are equal except for the time of the files.
static bool volume_marks_equal(const struct volume_mark *a, const struct volume_mark *b)
{
    struct volume_mark timeless = *a;
    timeless.time = b->time;
    return memcmp(&timeless, b, sizeof timeless) == 0;
}

// Checks that this rank has the same volume as rank 0.
static bool volume_ranks_check(
    const char *path, const struct volume_mark *own, const struct volume_mark *first,
    struct problem *problem)
{
    if (memcmp(first->dim, own->dim, sizeof own->dim) != 0 || first->type != own->type) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%.400s' is %ux%ux%u %s here, but %ux%ux%u %s on rank 0; all processes need the same "
            "input",
            path, own->dim[0], own->dim[1], own->dim[2],
            volume_type_name((enum volume_type)own->type), first->dim[0], first->dim[1],
            first->dim[2], volume_type_name((enum volume_type)first->type));
    }
    if (volume_marks_equal(own, first)) {
        return true;
    }
    const char *what = own->bytes != first->bytes     ? "another number of bytes"
                       : own->spread != first->spread ? "other contents"
                       : own->middle != first->middle ? "other samples in its middle slice"
                                                      : "another type, spacing or position";
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%.400s' is not the file that rank 0 reads: it has %s; all processes need the same input",
        path, what);
}

bool volume_ranks_same(
    struct volume_file *file, struct files_fingerprint *files, uint32_t *middle,
    struct problem *problem)
{
    const size_t count = (size_t)ranks()->count;
    struct volume_mark own, *all;
    if (count == 1) {
        return true;
    }
    if (!volume_ranks_mark(file, files, &own, problem)) {
        return false;
    }
    *middle = own.middle;
    all = calloc(count, sizeof *all);
    if (!all) {
        return volume_ranks_out_of_memory(problem);
    }
    const bool fine = ranks_gather(&own, sizeof own, all, problem) &&
                      volume_ranks_check(file->path, &own, &all[0], problem);
    size_t other = 0; // the first rank whose file has another time; 0: none
    bool equal = true;
    for (size_t i = count - 1; i > 0; i--) {
        other = all[i].time != all[0].time ? i : other;
        equal = equal && volume_marks_equal(&all[i], &all[0]);
    }
    if (fine && equal && other > 0) {
        log_warn(
            "rank %zu reads '%s' with another time than rank 0; this is right only if it is a copy",
            other, file->path);
    }
    files->time = all[0].time;
    free(all);
    return ranks_agree(fine, problem);
}

bool volume_ranks_facts(
    struct volume_file *file, const struct progress *progress, struct volume_facts *facts,
    struct slice_range *ranges, struct cubes *cubes, uint64_t *bytes, struct problem *problem)
{
    const struct volume *volume = &file->volume;
    const uint32_t depth = volume->dim[2];
    const uint64_t passes = facts && volume_type_size(volume->type) > 2 ? 2 : 1;
    struct volume_file_share share = { .join = volume_ranks_join };
    volume_ranks_slices(depth, ranks()->rank, &share.from, &share.to);
    if (!volume_file_facts(file, &share, progress, facts, ranges, cubes, problem)) {
        return false;
    }
    *bytes += passes * (share.to - share.from) * (volume_bytes(volume) / depth);
    if (ranks()->count == 1) {
        return true;
    }
    const bool fine = (!ranges || volume_ranks_join_ranges(ranges, depth, problem)) &&
                      (!cubes || volume_ranks_join_cubes(cubes, problem));
    if (!fine && cubes) {
        cubes_destroy(cubes);
    }
    return fine;
}

bool volume_ranks_json(uint32_t depth, uint64_t bytes, json_t *json, struct problem *problem)
{
    struct rank_read {
        char host[64];
        uint64_t bytes;
    } own = { .bytes = bytes };
    memcpy(own.host, ranks()->host, sizeof own.host);
    const int count = ranks()->count;
    struct rank_read *all = malloc((size_t)count * sizeof *all);
    if (!all) {
        return volume_ranks_out_of_memory(problem);
    }
    const bool fine = ranks_gather(&own, sizeof own, all, problem);
    json_t *list = fine && json ? json_add_array(json, "ranks") : NULL;
    for (int rank = 0; list && rank < count; rank++) {
        uint32_t from, to;
        volume_ranks_slices(depth, rank, &from, &to);
        json_t *object = json_add_object(list, NULL);
        json_add_count(object, "rank", (uint64_t)rank);
        json_add_text(object, "host", all[rank].host);
        json_add_count(object, "first_slice", from);
        json_add_count(object, "slices", to - from);
        json_add_count(object, "bytes_read", all[rank].bytes);
    }
    free(all);
    return fine;
}
