// Checks that volume_file_read, by ranges of slices of any size, gives what volume_read reads.
// Include cmocka.h first.
#pragma once

#include "volumes/base/log.h"
#include "volumes/formats/volume_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline void by_slices_range(
    struct volume_file *file, const struct volume *whole, uint32_t z, uint32_t count, void *room)
{
    struct problem problem = { 0 };
    const uint64_t each = (uint64_t)whole->dim[0] * whole->dim[1] * volume_type_size(whole->type);
    memset(room, 0xee, count * each);
    if (!volume_file_read(file, z, count, room, NULL, &problem)) {
        fail_msg("slices %u to %u: %s", z, z + count, problem.text);
    }
    if (memcmp(room, (const char *)whole->samples + z * each, count * each) != 0) {
        fail_msg("%s: slices %u to %u differ", file->path, z, z + count);
    }
}

static inline void by_slices_facts(struct volume_file *file, const struct volume *whole)
{
    struct problem problem = { 0 };
    struct volume_facts expected, facts;
    struct cubes expected_cubes, cubes;
    struct slice_range *ranges = malloc(whole->dim[2] * sizeof *ranges);
    volume_facts(whole, &expected);
    assert_true(volume_cubes(whole, NULL, &expected_cubes, &problem));
    if (!volume_file_facts(file, NULL, NULL, &facts, ranges, &cubes, &problem)) {
        fail_msg("%s", problem.text);
    }
    assert_memory_equal(&facts, &expected, sizeof facts);
    assert_memory_equal(cubes.dim, expected_cubes.dim, sizeof cubes.dim);
    assert_memory_equal(
        cubes.range, expected_cubes.range, cubes_count(&cubes) * sizeof *cubes.range);
    cubes_destroy(&expected_cubes);
    cubes_destroy(&cubes);
    double min = (double)INFINITY, max = -(double)INFINITY;
    for (uint32_t z = 0; z < whole->dim[2]; z++) {
        min = ranges[z].min < min ? ranges[z].min : min;
        max = ranges[z].max > max ? ranges[z].max : max;
    }
    if (facts.not_finite < volume_count(whole)) {
        assert_true(min == facts.min && max == facts.max);
    } else {
        assert_true(min > max);
    }
    free(ranges);
}

// `step`: reads ranges of 1, 1 + step, ... slices.
static inline void by_slices(
    const char *path, const struct volume_params *params, const struct volume *whole, uint32_t step)
{
    struct volume_file file;
    struct problem problem = { 0 };
    const uint32_t depth = whole->dim[2];
    const bool quiet = log_quiet;
    log_quiet = true;
    if (!volume_file_open(path, params, &file, &problem)) {
        fail_msg("%s", problem.text);
    }
    struct volume described = *whole;
    described.samples = NULL;
    assert_memory_equal(&file.volume, &described, sizeof described);
    void *room = malloc(volume_bytes(whole));
    for (uint32_t count = 1; count <= depth; count += step) {
        for (uint32_t z = 0; z < depth; z += count) {
            by_slices_range(&file, whole, z, depth - z < count ? depth - z : count, room);
        }
    }
    // Backwards, then overlapping, as parts are.
    by_slices_range(&file, whole, depth / 2, depth - depth / 2, room);
    by_slices_range(&file, whole, 0, depth / 2 + 1, room);
    by_slices_range(&file, whole, depth / 2, 0, room);
    by_slices_range(&file, whole, depth / 2, 1, room);
    if (step < depth) { // not among many rounds
        by_slices_facts(&file, whole);
    }
    free(room);
    volume_file_close(&file);
    log_quiet = quiet;
}

// For a file that volume_read has refused: reading it all by slices must fail, too.
static inline void by_slices_refused(const char *path, const struct volume_params *params)
{
    struct volume_file file;
    struct problem problem = { 0 };
    const bool quiet = log_quiet;
    log_quiet = true;
    if (volume_file_open(path, params, &file, &problem)) {
        const struct volume *volume = &file.volume;
        const uint64_t bytes = volume_count(volume) * volume_type_size(volume->type);
        void *room = bytes < 1 << 24 ? malloc(bytes) : NULL;
        if (room && volume_file_read(&file, 0, volume->dim[2], room, NULL, &problem)) {
            fail_msg("%s was read by slices", path);
        }
        free(room);
    }
    if (problem.kind != PROBLEM_NONE) {
        assert_true(problem.text[0] && !strchr(problem.text, '\n'));
        assert_int_not_equal(problem.kind, PROBLEM_INTERNAL);
    }
    volume_file_close(&file);
    log_quiet = quiet;
}
