// The facts of a volume in memory and of the same volume in a file are those found by counting.
#include "tests/fuzz/target.h"
#include "volumes/base/log.h"
#include "volumes/formats/volume_file.h"

#include <math.h>
#include <string.h>

static void check_facts(const struct volume *volume, const struct volume_facts *facts)
{
    double min = INFINITY, max = -INFINITY;
    uint64_t count = 0, binned = 0;
    for (uint32_t z = 0; z < volume->dim[2]; z++) {
        for (uint32_t y = 0; y < volume->dim[1]; y++) {
            for (uint32_t x = 0; x < volume->dim[0]; x++) {
                const double value = volume_sample(volume, x, y, z);
                if (isfinite(value)) {
                    min = fmin(min, value);
                    max = fmax(max, value);
                    count++;
                }
            }
        }
    }
    for (int i = 0; i < VOLUME_BINS; i++) {
        binned += facts->histogram[i];
    }
    HOLDS(binned == count, "%llu samples in the bins", (unsigned long long)binned);
    HOLDS(
        facts->not_finite == volume_count(volume) - count, "%llu are not finite",
        (unsigned long long)facts->not_finite);
    HOLDS(
        count > 0 ? facts->min == min && facts->max == max : facts->min == 0 && facts->max == 0,
        "%g to %g, not %g to %g", facts->min, facts->max, min, max);
    const bool constant = facts->min == facts->max;
    HOLDS(
        *facts->iso_rule && constant == (strcmp(facts->iso_rule, "constant") == 0), "rule %s",
        facts->iso_rule);
    HOLDS(
        constant ? facts->iso == facts->min : facts->iso > facts->min && facts->iso <= facts->max,
        "%g in %g to %g", facts->iso, facts->min, facts->max);
    HOLDS(
        constant || volume->type == VOLUME_FLOAT32 || facts->iso != floor(facts->iso),
        "%g is no sample", facts->iso);
}

static void check_ranges(const struct volume *volume, const struct slice_range *ranges)
{
    for (uint32_t z = 0; z < volume->dim[2]; z++) {
        struct slice_range range = { INFINITY, -INFINITY };
        for (uint32_t y = 0; y < volume->dim[1]; y++) {
            for (uint32_t x = 0; x < volume->dim[0]; x++) {
                const double value = volume_sample(volume, x, y, z);
                if (isfinite(value)) {
                    range.min = fmin(range.min, value);
                    range.max = fmax(range.max, value);
                }
            }
        }
        HOLDS(
            ranges[z].min == range.min && ranges[z].max == range.max,
            "slice %u: %g to %g, not %g to %g", z, ranges[z].min, ranges[z].max, range.min,
            range.max);
    }
}

static void check_cubes(const struct volume *volume, const struct cubes *cubes)
{
    struct cubes whole;
    struct problem problem;
    HOLDS(volume_cubes(volume, NULL, &whole, &problem), "%s", problem.text);
    HOLDS(
        memcmp(whole.range, cubes->range, cubes_count(&whole) * sizeof *whole.range) == 0,
        "the same cubes");
    const uint32_t *dim = volume->dim;
    const uint64_t count = volume_count(volume);
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t at[3] = { (uint32_t)(i % dim[0]), (uint32_t)(i / dim[0] % dim[1]),
                                 (uint32_t)(i / dim[0] / dim[1]) };
        const double value = volume_sample(volume, at[0], at[1], at[2]);
        uint64_t cube = 0;
        for (int c = 2; c >= 0; c--) {
            const uint32_t last = cubes->dim[c] - 1, own = at[c] / cubes->edge;
            cube = cube * cubes->dim[c] + (own < last ? own : last);
        }
        HOLDS(
            !isfinite(value) ||
                ((double)cubes->range[cube][0] <= value && (double)cubes->range[cube][1] >= value),
            "%g in %g to %g", value, (double)cubes->range[cube][0], (double)cubes->range[cube][1]);
    }
    cubes_destroy(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum volume_type types[] = {
        VOLUME_UINT8,  VOLUME_INT8,  VOLUME_UINT16,  VOLUME_INT16,
        VOLUME_UINT32, VOLUME_INT32, VOLUME_FLOAT32, VOLUME_FLOAT64,
    };
    struct volume made, whole;
    struct volume_file file;
    struct problem problem;
    static struct volume_facts facts, parts;
    struct slice_range ranges[16];
    struct cubes cubes;
    log_quiet = true;
    draw_begin(data, size);
    volume_of_bytes(data, size, &made);
    struct volume_params params = {
        .dim = { made.dim[0], made.dim[1], made.dim[2] },
        .has_type = true,
        .type = types[made.type],
    };
    files_clear();
    files_add("x.raw", made.samples, (size_t)volume_bytes(&made));
    HOLDS(volume_read(FILES_FOLDER "/x.raw", &params, &whole, &problem), "%s", problem.text);
    HOLDS(volume_file_open(FILES_FOLDER "/x.raw", &params, &file, &problem), "%s", problem.text);
    poison(0xaa);
    volume_facts(&whole, &facts);
    check_facts(&whole, &facts);
    poison(0x55);
    HOLDS(
        volume_file_facts(&file, NULL, NULL, &parts, ranges, &cubes, &problem), "%s", problem.text);
    check_ranges(&whole, ranges);
    check_cubes(&whole, &cubes);
    cubes_destroy(&cubes);
    HOLDS(memcmp(&facts, &parts, sizeof facts) == 0, "the same facts");
    fuzz_accepted = true;
    volume_file_close(&file);
    volume_destroy(&whole);
    volume_destroy(&made);
    files_clear();
    return 0;
}
