// What a folder holds: volumes, slices, neither.
// ctest: plain
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/png.h"
#include "tests/scratch.h"
#include "volumes/formats/folder.h"

static void put_png(const char *name, int colour)
{
    const uint8_t pixels[16] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    struct png png = png_make(2, 2, 8, colour, pixels);
    scratch_write(name, png.bytes, png.size);
    free(png.bytes);
}

// A TIFF file with so many pages of 2x2 grey bytes.
static void put_tiff(const char *name, int pages)
{
    static const uint16_t tags[9] = { 256, 257, 258, 259, 262, 273, 277, 278, 279 };
    unsigned char file[1000] = "II*\0\x08";
    uint32_t at = 8;
    for (int page = 0; page < pages; page++) {
        const uint32_t values[9] = { 2, 2, 8, 1, 1, at + 114, 1, 2, 4 };
        const uint32_t next = page + 1 < pages ? at + 118 : 0;
        file[at] = 9;
        for (int i = 0; i < 9; i++) {
            unsigned char *entry = file + at + 2 + 12 * i;
            const uint16_t type = 4;
            const uint32_t count = 1;
            memcpy(entry, &tags[i], 2);
            memcpy(entry + 2, &type, 2);
            memcpy(entry + 4, &count, 4);
            memcpy(entry + 8, &values[i], 4);
        }
        memcpy(file + at + 110, &next, 4);
        at += 118;
    }
    scratch_write(name, file, at);
}

static void put(const char *name)
{
    scratch_write(name, "x", 1);
}

static void expect(const char *name, enum folder_kind kind, const char *first)
{
    struct folder folder;
    folder_look(scratch(name), &folder);
    if (folder.kind != kind || (first && strcmp(folder.first, first) != 0)) {
        fail_msg(
            "%s: kind %d, %u volumes from '%s' on, %u slices", name, folder.kind, folder.volumes,
            folder.first, folder.slices);
    }
}

static void names_that_are_listed(void **state)
{
    (void)state;
    static const char *const listed[] = {
        "a.nrrd", "B.NHDR", "a.nii.gz", "a_2x3x4_uint8.raw", "a_2x3x4.raw.gz", "a.vti", "a.tif"
    };
    static const char *const others[] = { "a.raw",  "a.img",   ".a.nrrd",  "a.png",
                                          "a.txt",  "a.ply",   "a.img.gz", ".nrrd",
                                          "README", "a_4.raw", "" };
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++) {
        assert_true(folder_lists(listed[i]));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(folder_lists(others[i]));
    }
}

// A picture that cubist drew, in grey.
static void put_picture(const char *name)
{
    struct png png;
    png_begin(&png, 2, 2, 8, 0, 0);
    png_chunk(&png, "tEXt", "Software\0cubist 9", 17);
    png_data(&png, "\1\2\3\4", 2, 2);
    png_chunk(&png, "IEND", NULL, 0);
    scratch_write(name, png.bytes, png.size);
    free(png.bytes);
}

static void pictures_among_slices(void **state)
{
    (void)state;
    assert_int_equal(mkdir(scratch("p"), 0700), 0);
    put_picture("p/a.png");
    put_picture("p/b.png");
    expect("p", FOLDER_OTHER, "");
    put_tiff("p/1.tif", 1);
    expect("p", FOLDER_SLICES, "");
    put_png("p/1.png", 0);
    struct folder folder;
    folder_look(scratch("p"), &folder);
    assert_int_equal(folder.slices, 1);
}

static void volumes_and_slices(void **state)
{
    (void)state;
    assert_int_equal(mkdir(scratch("f"), 0700), 0);
    expect("none", FOLDER_OTHER, NULL);
    expect("f", FOLDER_OTHER, "");
    put("f/notes.txt");
    put("f/tooth.raw");
    expect("f", FOLDER_OTHER, "");
    put("f/tooth10.nhdr");
    expect("f", FOLDER_VOLUMES, "tooth10.nhdr");
    put("f/tooth9.nhdr"); // in the order of Left and Right
    expect("f", FOLDER_VOLUMES, "tooth9.nhdr");
    put_png("f/tooth.png", 2); // screenshots are in colour
    put_png("f/tooth-2.png", 6);
    put_png("f/tooth-3.png", 2);
    expect("f", FOLDER_VOLUMES, "tooth9.nhdr");
    put_png("f/atlas.png", 0);
    put_png("f/preview.png", 4);
    expect("f", FOLDER_VOLUMES, "tooth9.nhdr"); // two of each
    put_png("f/slice.png", 0);
    expect("f", FOLDER_SLICES, "tooth9.nhdr");
    char first[PATH_MAX], path[PATH_MAX];
    snprintf(path, sizeof path, "%s", scratch("f"));
    assert_ptr_equal(folder_open(path, first), path);
    unlink(scratch("f/slice.png"));
    assert_string_equal(folder_open(path, first), scratch("f/tooth9.nhdr"));
    strcat(path, "/");
    assert_string_equal(folder_open(path, first), scratch("f/tooth9.nhdr"));
    assert_string_equal(folder_open("none", first), "none");
    assert_null(folder_open(NULL, first));
    put_png("f/slice.png", 0);
    put("f/.hidden.nrrd");
    expect("f", FOLDER_SLICES, NULL);
}

static void tiff_files_are_either(void **state)
{
    (void)state;
    assert_int_equal(mkdir(scratch("t"), 0700), 0);
    put_tiff("t/b.tif", 1);
    put_tiff("t/c.tiff", 1);
    expect("t", FOLDER_SLICES, "");
    put_tiff("t/a.tif", 3);
    expect("t", FOLDER_VOLUMES, "a.tif");
    put("t/a.nrrd");
    expect("t", FOLDER_VOLUMES, "a.nrrd");
    put_png("t/shot.png", 2);
    expect("t", FOLDER_VOLUMES, "a.nrrd");
}

// A store is one volume, whatever its arrays are named. A folder of stores is a folder of volumes.
static void stores_are_volumes(void **state)
{
    (void)state;
    char path[PATH_MAX], first[PATH_MAX];
    assert_int_equal(mkdir(scratch("of"), 0700), 0);
    assert_int_equal(mkdir(scratch("of/b.zarr"), 0700), 0);
    expect("of", FOLDER_VOLUMES, "b.zarr");
    assert_string_equal(folder_open(scratch("of"), first), scratch("of/b.zarr"));
    put("of/b.zarr/.zgroup");
    put("of/b.zarr/a.nrrd");
    expect("of/b.zarr", FOLDER_SLICES, NULL);
    strcpy(path, scratch("of/b.zarr"));
    assert_string_equal(folder_open(path, first), path);
}

static void leads(const char *from, int step, const char *expected, bool listed)
{
    char path[PATH_MAX], next[PATH_MAX];
    snprintf(path, sizeof path, "%s", scratch(from));
    const struct folder_place at = folder_beside(path, step, next);
    const char *slash = strrchr(next, '/');
    if (at.count != 3 || at.listed != listed || strcmp(slash + 1, expected) != 0 ||
        at.whole != (from[strlen(from) - 1] == '/')) {
        fail_msg("%s %+d: %u, %d, %s", from, step, at.count, at.listed, next);
    }
}

static void steps_in_a_folder(void **state)
{
    (void)state;
    assert_int_equal(mkdir(scratch("s"), 0700), 0);
    put("s/v2.nrrd");
    put("s/v10.nrrd");
    put("s/x.nii");
    put("s/v3.txt");
    leads("s/v2.nrrd", +1, "v10.nrrd", true);
    leads("s/v10.nrrd", +1, "x.nii", true);
    leads("s/x.nii", +1, "v2.nrrd", true);
    leads("s/v2.nrrd", -1, "x.nii", true);
    leads("s/v3.txt", +1, "v10.nrrd", false);
    leads("s/v3.txt", -1, "v2.nrrd", false);
    leads("s/z", +1, "v2.nrrd", false);
    leads("s/", +1, "v2.nrrd", false);
    char next[PATH_MAX];
    assert_int_equal(folder_beside("none/such", +1, next).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_listed), cmocka_unit_test(volumes_and_slices),
        cmocka_unit_test(pictures_among_slices), cmocka_unit_test(tiff_files_are_either),
        cmocka_unit_test(stores_are_volumes),    cmocka_unit_test(steps_in_a_folder),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_end();
    return failed;
}
