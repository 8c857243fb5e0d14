// Which names of slices in a folder cause a warning, and which do not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scratch.h"
#include "volumes/formats/slice_names.h"

#define MOST 100

struct folder {
    const char *names; // in their order, blanks between; "%d=1..9" is a pattern for each number
    const char *word;  // in the warning; NULL: no warning
};

static size_t list(const char *names, char **out)
{
    char *copy = strdup(names), *state = NULL;
    size_t count = 0;
    for (char *word = strtok_r(copy, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
        char *range = strchr(word, '=');
        int from = 0, to = 0, step = 1;
        if (range) {
            assert_true(sscanf(range, "=%d..%d/%d", &from, &to, &step) >= 2);
            *range = 0;
        }
        for (int i = from; i <= to; i += step) {
            char name[200];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(name, sizeof name, word, i);
#pragma GCC diagnostic pop
            assert_true(asprintf(&out[count++], "/some/folder/%s", name) > 0 && count < MOST);
        }
    }
    free(copy);
    return count;
}

static void check(const struct folder *folder)
{
    char *paths[MOST];
    const size_t count = list(folder->names, paths);
    scratch_listen();
    slice_names_warn("/some/folder", paths, count);
    const char *heard = scratch_heard();
    const char *line = strchr(heard, '\n');
    if (folder->word ? !strstr(heard, folder->word) || !line || line[1] : heard[0] != 0) {
        fail_msg(
            "%s: expected %s, heard: %s", folder->names, folder->word ? folder->word : "nothing",
            heard);
    }
    for (size_t i = 0; i < count; i++) {
        free(paths[i]);
    }
}

static void ordinary_folders(void **state)
{
    (void)state;
    static const char *const folders[] = {
        "%03d.png=1..40",
        "s%d.png=0..30",
        "slice_%04d.tif=500..530",
        "a.png b.png c.png", // no numbers
        "front.png back.png",
        "x.tif x.tiff",                                   // the same but for the extension
        "s1.png s02.png s3.png s10.png s11.png s100.png", // no rule
        "s%d.png=8..9 s%02d.png=10..12",
        "s%d.png=0..90/10", // every tenth
        "s%d.png=10..30/10",
        "5.png 900.png", // two numbers have no rule
        "1.png 2.png 500000.png",
        "100001.png 100060.png 100103.png 100159.png",
        "img_%09d_Default_000.tif=0..20", // other numbers stay the same
        "IM-0001-%04d.tif=1..20",
        "B2--W00001--P00001--Z%05d--T00000--C01.tif=0..9",
        "slice_1_of_3.png slice_2_of_3.png slice_3_of_3.png",
        // An index beside times, positions, or a second index.
        "001_120059.tif 002_120101.tif 003_120102.tif 004_120104.tif",
        "z0001_0.50um.tif z0002_1.00um.tif z0003_1.50um.tif z0004_2.00um.tif",
        "t9_z1.tif t9_z2.tif t10_z3.tif t10_z4.tif",
        // Positions alone, times alone, dates, identifiers.
        "z_0.5.png z_1.0.png z_1.5.png z_2.0.png z_2.5.png",
        "20240130.tif 20240131.tif 20240201.tif 20240202.tif",
        "20240131_120059.tif 20240131_120101.tif 20240131_120143.tif 20240131_120207.tif",
        "1706702400123.png 1706702400163.png 1706702400204.png 1706702400244.png",
        "1.2.840.113619.2.55.3.2831164355.780.%d.tif=1..9",
        "12345678901234567890123.png 12345678901234567890124.png 12345678901234567890129.png",
        "a1f3.png 99bc.png 0d21.png 7e2a.png",
        // A series in two halves; a picture that belongs to no series.
        "left_%03d.png=1..10 right_%03d.png=11..20",
        "preview.png slice_%03d.png=1..9",
        "image.png image%d.png=1..9",
        "a_1.png a_3.png a_5.png a_7.png b_2.png b_4.png b_6.png b_8.png",
        "1_1_1_1_1_1_1_1_%d.png=1..9", // more numbers than are looked at
        "noextension%d=1..3",
    };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        check(&(struct folder){ folders[i], NULL });
    }
}

static void missing_numbers(void **state)
{
    (void)state;
    static const struct folder folders[] = {
        { "slice_001.png slice_003.png",
          "1 slice is missing (number 2), first between 'slice_001.png' and 'slice_003.png'" },
        { "slice_%03d.png=1..40 slice_%03d.png=42..80",
          "1 slice is missing (number 41), first between 'slice_040.png' and 'slice_042.png'" },
        { "%d.tif=1..5 %d.tif=9..20 %d.tif=22..30", "4 slices are missing (number 6 to 8, 21), " },
        { "%d.tif=1..2 %d.tif=4..5 %d.tif=7..8 %d.tif=10..11 %d.tif=13..14",
          "4 slices are missing (number 3, 6, 9, ...)" },
        { "s%d.png=0..50/10 s%d.png=70..90/10", "1 slice is missing (number 60)" },
        { "%04d.png=1..20 %04d.png=1001..1020", "980 slices are missing (number 21 to 1000)" },
        { "1.png 2.png 4.png", "number 3" },
        { "s_1.png s_2.png s_3.png s_10.png", "6 slices are missing (number 4 to 9)" },
        { "1.png 2.png 1000.png", "997 slices are missing (number 3 to 999)" },
        { "s%d.png=100001..100020 s%d.png=100022..100030", "number 100021" },
        // The index is the number with a rule, not the time.
        { "t120059_1.tif t120101_2.tif t120102_3.tif t120104_5.tif t120111_6.tif", "number 4" },
        { "t1_z1.tif t1_z2.tif t2_z4.tif t2_z5.tif t2_z6.tif", "number 3" },
        { "left_%03d.png=1..10 right_%03d.png=12..20", "between 'left_010.png' and 'right_012" },
        { "overview.png s%d.png=1..3 s%d.png=5..9", "number 4" },
    };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        check(&folders[i]);
    }
}

static void several_series(void **state)
{
    (void)state;
    static const struct folder folders[] = {
        { "a_%03d.png=1..9 b_%03d.png=1..9",
          "'/some/folder' holds several series of slices, by their names ('a_001.png' is of one, "
          "'b_001.png' of another); all 18 slices are stacked as one volume" },
        { "a_%d.png=1..9 b_%d.png=5..20", "('a_5.png' is of one, 'b_5.png' of another)" },
        { "%d.tif=1..5 %d_mask.tif=1..5", "several series" },
        { "IM-0001-%04d.tif=1..5 IM-0002-%04d.tif=1..7",
          "('IM-0001-0001.tif' is of one, 'IM-0002" },
        { "z1_c1.tif z1_c2.tif z2_c1.tif z2_c2.tif z3_c1.tif z3_c2.tif", "several series" },
        { "a_%03d.png=1..5 a_%03d.png=8..9 b_%03d.png=1..9", "several series" }, // one line
        // Numbers that differ in their zeros alone.
        { "s1.png s01.png s2.png", "two slices have the same number ('s1.png' and 's01.png')" },
        { "s1.tif s1.tiff", "two slices have the same number" },
    };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        check(&folders[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_folders),
        cmocka_unit_test(missing_numbers),
        cmocka_unit_test(several_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
