// MRC and CCP4 maps: modes, byte orders, axes and cells, where a map lies, and every kind of wrong
// file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"
#include "volumes/facts.h"

#include <math.h>

static const struct volume_params nothing;

// What a header holds; zero means the usual.
struct map {
    int mode;
    bool big, no_magic, imod, imod_signed, skewed;
    int group, dim[3], start[3], grid[3], axes[3], operators;
    float cell[3], angles[3], origin[3];
};

static void put_word(struct bytes *bytes, int word, uint64_t bits, bool big)
{
    set_bits(bytes, (size_t)(4 * word), bits, 4, big);
}

// The header and samples 0, 2, 4 ... 46.
static struct bytes build(const struct map *map)
{
    static const enum volume_type types[] = {
        [0] = VOLUME_INT8, [1] = VOLUME_INT16, [2] = VOLUME_FLOAT32, [6] = VOLUME_UINT16
    };
    struct bytes bytes = { .size = 1024 };
    memset(bytes.at, 0, 1024);
    for (int i = 0; i < 3; i++) {
        const int dim = map->dim[i] ? map->dim[i] : 4 - i;
        put_word(&bytes, i, (uint64_t)(int64_t)dim, map->big);
        put_word(&bytes, 4 + i, (uint64_t)(int64_t)map->start[i], map->big);
        put_word(&bytes, 7 + i, (uint64_t)(int64_t)(map->grid[i] ? map->grid[i] : 10), map->big);
        put_word(&bytes, 10 + i, bits_of(map->cell[i] != 0 ? map->cell[i] : 10, 4), map->big);
        put_word(&bytes, 13 + i, bits_of(map->angles[i] != 0 ? map->angles[i] : 90, 4), map->big);
        put_word(&bytes, 16 + i, (uint64_t)(map->axes[0] ? map->axes[i] : i + 1), map->big);
        put_word(&bytes, 49 + i, bits_of(map->origin[i], 4), map->big);
    }
    put_word(&bytes, 3, (uint64_t)map->mode, map->big);
    put_word(&bytes, 22, (uint64_t)map->group, map->big);
    put_word(&bytes, 23, (uint64_t)(int64_t)map->operators, map->big);
    put_word(&bytes, 24, map->skewed, map->big);
    put_word(&bytes, 38, map->imod ? 1146047817 : 0, map->big);
    put_word(&bytes, 39, map->imod_signed, map->big);
    memcpy(bytes.at + 208, map->no_magic ? "    MAE " : "MAP MAE ", 8); // a stamp that is wrong
    for (int i = 0; i < map->operators; i++) {
        put_bits(&bytes, ' ', 1, false);
    }
    for (int i = 0; i < 24; i++) {
        if (map->mode == 12) {
            put_bits(&bytes, i ? 0x3c00 : 0, 2, map->big); // 0, then 1
        } else {
            put_sample(&bytes, 2 * i, types[map->mode], map->big);
        }
    }
    return bytes;
}

static struct volume read_map(struct map map, const char *word)
{
    const struct bytes bytes = build(&map);
    return accepted_saying(write_bytes("a.mrc", &bytes), &nothing, word);
}

// The map, and the axes of what it holds, have this unit.
static void unit_is(struct map map, const char *unit)
{
    const struct bytes bytes = build(&map);
    struct volume_file file;
    struct problem problem = { 0 };
    assert_true(volume_file_open(write_bytes("a.mrc", &bytes), &nothing, &file, &problem));
    assert_string_equal(file.contents.unit, unit);
    assert_string_equal(file.contents.arrays[0].axis[2].unit, unit);
    volume_file_close(&file);
}

static void refuse_map(struct map map, const char *word)
{
    const struct bytes bytes = build(&map);
    refused(write_bytes("a.mrc", &bytes), &nothing, PROBLEM_INPUT, word);
}

static void reads_every_mode(void **state)
{
    (void)state;
    static const struct {
        int mode;
        bool no_magic, imod, imod_signed;
        enum volume_type type;
    } modes[] = {
        { 0, false, false, false, VOLUME_INT8 },   { 0, true, false, false, VOLUME_UINT8 },
        { 0, false, true, false, VOLUME_UINT8 },   { 0, false, true, true, VOLUME_INT8 },
        { 1, false, false, false, VOLUME_INT16 },  { 2, true, false, false, VOLUME_FLOAT32 },
        { 6, false, false, false, VOLUME_UINT16 }, { 12, false, false, false, VOLUME_FLOAT16 },
    };
    for (size_t i = 0; i < 4 * sizeof modes / sizeof *modes; i++) {
        const struct map map = {
            .mode = modes[i / 4].mode,
            .big = i & 1,
            .operators = i & 2 ? 160 : 0,
            .no_magic = modes[i / 4].no_magic,
            .imod = modes[i / 4].imod,
            .imod_signed = modes[i / 4].imod_signed,
        };
        struct volume volume = read_map(map, NULL);
        assert_int_equal(volume.file_type, modes[i / 4].type);
        assert_true(volume.dim[0] == 4 && volume.dim[1] == 3 && volume.dim[2] == 2);
        for (uint32_t k = 0; k < 24; k++) {
            assert_true(
                volume_sample(&volume, k % 4, k / 4 % 3, k / 12) ==
                (map.mode == 12 ? k > 0 : 2 * k));
        }
        assert_true(volume.density);
        reals_are(volume.spacing, (double[]){ 1, 1, 1 }, 3);
        reals_are(volume.origin, (double[]){ 0, 0, 0 }, 3);
        volume_destroy(&volume);
    }
    static const int refused_modes[] = { 3, 4, 5, 16, 101, -1 };
    for (size_t i = 0; i < sizeof refused_modes / sizeof *refused_modes; i++) {
        struct bytes bytes = build(&(struct map){ .mode = 2 });
        put_word(&bytes, 3, (uint64_t)(int64_t)refused_modes[i], false);
        refused(write_bytes("a.mrc", &bytes), &nothing, PROBLEM_INPUT, "samples of mode");
    }
}

static void places_follow_cell_and_axes(void **state)
{
    (void)state;
    // Sections, columns and rows along X, Y, Z; the cell has 10 x 20 x 30 points.
    struct map map = {
        .mode = 2,
        .axes = { 3, 1, 2 },
        .grid = { 10, 20, 30 },
        .cell = { 5, 20, 60 },
        .start = { 7, -2, 4 },
    };
    struct volume volume = read_map(map, NULL);
    unit_is(map, "Angstrom");
    unit_is((struct map){ .mode = 2, .cell = { -1, 10, 10 } }, "");
    reals_are(volume.spacing, (double[]){ 2, 0.5, 1 }, 3);
    reals_are(volume.direction, (double[]){ 0, 1, 0, 0, 0, 1, 1, 0, 0 }, 9);
    reals_are(volume.origin, (double[]){ -1, 4, 14 }, 3); // NSTART is in the order of the file
    volume_destroy(&volume);
    // ORIGIN is in the order X, Y, Z, and takes precedence.
    memcpy(map.origin, (float[]){ 1, 2, 3 }, sizeof map.origin);
    volume = read_map(map, NULL);
    reals_are(volume.origin, (double[]){ 1, 2, 3 }, 3);
    volume_destroy(&volume);
    // An ORIGIN beside which a step is nothing, or that is no number.
    map.origin[1] = 1e30f;
    volume = read_map(map, "ORIGIN");
    reals_are(volume.origin, (double[]){ -1, 4, 14 }, 3);
    volume_destroy(&volume);
    map.origin[1] = NAN;
    volume = read_map(map, "ORIGIN");
    reals_are(volume.origin, (double[]){ -1, 4, 14 }, 3);
    volume_destroy(&volume);
    map.origin[0] = map.origin[1] = map.origin[2] = 0;
    map.start[1] = 31; // 3 rows
    volume = read_map(map, "NSTART");
    reals_are(volume.origin, (double[]){ 0, 0, 0 }, 3);
    volume_destroy(&volume);
    // Angles: gamma 120, and the index of the first sample along skewed axes.
    volume =
        read_map((struct map){ .mode = 2, .angles = { 90, 90, 120 }, .start = { 0, 2, 0 } }, NULL);
    const double half = sqrt(0.75);
    reals_are(volume.direction, (double[]){ 1, -0.5, 0, 0, half, 0, 0, 0, 1 }, 9);
    reals_are(volume.origin, (double[]){ -1, 2 * half, 0 }, 3);
    volume_destroy(&volume);
    // All angles 60: a regular tetrahedron.
    volume = read_map((struct map){ .mode = 2, .angles = { 60, 60, 60 } }, NULL);
    reals_are(
        volume.direction, (double[]){ 1, 0.5, 0.5, 0, half, half / 3, 0, 0, sqrt(2.0 / 3) }, 9);
    volume_destroy(&volume);
    volume = read_map((struct map){ .mode = 2, .skewed = true }, "skew matrix");
    volume_destroy(&volume);
}

static void nonsense_is_told(void **state)
{
    (void)state;
    static const struct {
        struct map map;
        const char *word;
    } odd[] = {
        { { .mode = 2, .angles = { 180, 90, 90 } }, "impossible" },
        { { .mode = 2, .angles = { 30, 30, 120 } }, "impossible" },
        { { .mode = 2, .angles = { NAN, 90, 90 } }, "impossible" },
        { { .mode = 2, .axes = { 1, 1, 2 } }, "MAPC" },
        { { .mode = 2, .cell = { -1, 10, 10 } }, "unit cell" },
        { { .mode = 2, .grid = { -1, -1, -1 } }, "unit cell" },
        { { .mode = 2, .cell = { 10, INFINITY, 10 } }, "unit cell" },
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct volume volume = read_map(odd[i].map, odd[i].word);
        reals_are(volume.spacing, (double[]){ 1, 1, 1 }, 3);
        reals_are(volume.direction, (double[]){ 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 9);
        volume_destroy(&volume);
    }
    // A stack of volumes of two sections; a crystal.
    struct volume first = read_map(
        (struct map){ .mode = 2, .group = 401, .dim = { 2, 3, 4 }, .grid = { 2, 3, 2 } },
        "stack of 2 volumes");
    assert_true(first.dim[2] == 2 && first.density && volume_sample(&first, 1, 2, 1) == 22);
    volume_destroy(&first);
    first = read_map((struct map){ .mode = 2, .group = 19 }, NULL);
    assert_false(first.density);
    volume_destroy(&first);
    // Operators that are counted, but not there.
    struct bytes bytes = build(&(struct map){ .mode = 2 });
    put_word(&bytes, 23, 800, false);
    struct volume volume = accepted_saying(write_bytes("a.map", &bytes), &nothing, "NSYMBT");
    assert_true(volume_sample(&volume, 1, 0, 0) == 2);
    volume_destroy(&volume);
    put_word(&bytes, 23, (uint64_t)-1, false);
    refused(write_bytes("a.map", &bytes), &nothing, PROBLEM_INPUT, "NSYMBT");
    bytes.size--;
    put_word(&bytes, 23, 0, false);
    refused(write_bytes("a.map", &bytes), &nothing, PROBLEM_INPUT, "cut short");
    refuse_map((struct map){ .mode = 2, .dim = { 4, -3, 2 } }, "not an MRC map");
    refuse_map((struct map){ .mode = 2, .dim = { 70000, 3, 2 } }, "not an MRC map");
    refuse_map((struct map){ .mode = 2, .dim = { 4, 6, 1 } }, "two samples");
    refused(scratch_write("b.ccp4", "what?", 5), &nothing, PROBLEM_INPUT, "MRC header");
}

static void the_suggestion_is_one_percent(void **state)
{
    (void)state;
    struct volume volume;
    struct problem problem;
    static struct volume_facts facts;
    assert_true(volume_create((uint32_t[]){ 20, 20, 20 }, VOLUME_FLOAT32, &volume, &problem));
    for (int i = 0; i < 8000; i++) {
        ((float *)volume.samples)[i] = (float)(i * 37 % 8000) / 8;
    }
    volume.density = true;
    volume_facts(&volume, &facts);
    int inside = 0;
    for (int i = 0; i < 8000; i++) {
        inside += (double)((float *)volume.samples)[i] >= facts.iso;
    }
    assert_string_equal(facts.iso_rule, "density map: 1 % inside");
    assert_in_range(inside, 78, 82);
    volume_destroy(&volume);
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    const struct bytes bytes = build(&(struct map){ .mode = 6, .big = true });
    cut_everywhere("a.mrc", &bytes, 1024, 1, 0);
    scramble("a.mrc", &bytes, 256, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_mode),  cmocka_unit_test(places_follow_cell_and_axes),
        cmocka_unit_test(nonsense_is_told),  cmocka_unit_test(the_suggestion_is_one_percent),
        cmocka_unit_test(cut_and_scrambled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
