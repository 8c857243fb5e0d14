// Legacy VTK: structured points in text and binary, and every kind of wrong file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"

static const struct volume_params nothing;

#define COUNT 24 // samples of 4 x 3 x 2

static const struct {
    const char *name;
    enum volume_type type;
    bool wide;
} kinds[] = {
    { "unsigned_char", VOLUME_UINT8, false },
    { "char", VOLUME_INT8, false },
    { "unsigned_short", VOLUME_UINT16, false },
    { "short", VOLUME_INT16, false },
    { "unsigned_int", VOLUME_UINT32, false },
    { "int", VOLUME_INT32, false },
    { "float", VOLUME_FLOAT32, false },
    { "double", VOLUME_FLOAT64, false },
    { "long", VOLUME_INT32, true },
    { "vtktypeuint64", VOLUME_UINT32, true },
    { "vtkIdType", VOLUME_INT32, false },
};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

static double value_of(int kind, int i)
{
    const bool real = kinds[kind].type == VOLUME_FLOAT32 || kinds[kind].type == VOLUME_FLOAT64;
    return 5 * i + (real ? 0.25 : 0);
}

static void put_values(struct bytes *bytes, int kind, int count, bool binary)
{
    for (int i = 0; i < count; i++) {
        if (!binary) {
            put_text(bytes, "%g%s", value_of(kind, i), i % 9 == 8 ? "\n" : " ");
        } else if (kinds[kind].wide) {
            put_bits(bytes, (uint64_t)value_of(kind, i), 8, true);
        } else {
            put_sample(bytes, value_of(kind, i), kinds[kind].type, true);
        }
    }
}

static void put_head(struct bytes *bytes, bool binary, const char *more)
{
    put_text(
        bytes,
        "# vtk DataFile Version 3.0\na title, of anything\n%s\nDATASET STRUCTURED_POINTS\n"
        "DIMENSIONS 4 3 2\n%s",
        binary ? "BINARY" : "ASCII", more);
}

static void check_samples(const struct volume *volume, int kind)
{
    assert_int_equal(volume->file_type, kinds[kind].type);
    assert_true(volume->dim[0] == 4 && volume->dim[1] == 3 && volume->dim[2] == 2);
    for (int i = 0; i < COUNT; i++) {
        const uint32_t x = (uint32_t)i % 4, y = (uint32_t)i / 4 % 3, z = (uint32_t)i / 12;
        assert_true(volume_sample(volume, x, y, z) == value_of(kind, i));
    }
}

static struct bytes whole(int kind, bool binary)
{
    struct bytes bytes = { .size = 0 };
    put_head(&bytes, binary, "ORIGIN 1 2 3\nSPACING 0.5 1 2\nPOINT_DATA 24\n");
    put_text(&bytes, "SCALARS a %s 1\nLOOKUP_TABLE default\n", kinds[kind].name);
    put_values(&bytes, kind, COUNT, binary);
    return bytes;
}

static void reads_every_type(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * KINDS; i++) {
        const struct bytes bytes = whole(i / 2, i % 2);
        struct volume volume = accepted_saying(write_bytes("a.vtk", &bytes), &nothing, NULL);
        check_samples(&volume, i / 2);
        reals_are(volume.spacing, (double[]){ 0.5, 1, 2 }, 3);
        reals_are(volume.origin, (double[]){ 1, 2, 3 }, 3);
        volume_destroy(&volume);
    }
}

static void keywords_are_read_loosely(void **state)
{
    (void)state;
    for (int binary = 0; binary < 2; binary++) {
        // Any case, CR LF, ASPECT_RATIO, no LOOKUP_TABLE line, no count of components.
        struct bytes bytes = { .size = 0 };
        put_text(
            &bytes,
            "# VTK DataFile Version 2.0\r\n\r\n%s\r\ndataset structured_points\r\n\r\n"
            "aspect_ratio 1 2 3\r\nDimensions 4 3 2\r\nPoint_Data 24\r\nscalars a SHORT\r\n",
            binary ? "binary" : "ascii");
        put_values(&bytes, 3, COUNT, binary);
        struct volume volume = accepted_saying(write_bytes("a.vtk", &bytes), &nothing, NULL);
        check_samples(&volume, 3);
        reals_are(volume.spacing, (double[]){ 1, 2, 3 }, 3);
        reals_are(volume.origin, (double[]){ 0, 0, 0 }, 3);
        volume_destroy(&volume);
        // Bytes after the samples are ignored.
        put_text(&bytes, "\nVECTORS v float\n");
        volume = accepted_saying(write_bytes("a.vtk", &bytes), &nothing, NULL);
        check_samples(&volume, 3);
        volume_destroy(&volume);
    }
}

// As VTK writes unsigned char: bytes, or text of 0 to 1.
static void colour_scalars_of_one_component_are_samples(void **state)
{
    (void)state;
    for (int binary = 0; binary < 2; binary++) {
        struct bytes bytes = { .size = 0 };
        put_head(&bytes, binary, "POINT_DATA 24\nCOLOR_SCALARS a 1\n");
        for (int i = 0; i < COUNT; i++) {
            if (binary) {
                put_bits(&bytes, (uint64_t)(i * 11), 1, true);
            } else {
                put_text(&bytes, "%g ", i * 11 / 255.0);
            }
        }
        struct volume volume = accepted_saying(write_bytes("a.vtk", &bytes), &nothing, NULL);
        assert_int_equal(volume.type, VOLUME_UINT8);
        assert_int_equal(volume.file_type, VOLUME_UINT8);
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(((const uint8_t *)volume.samples)[i], i * 11);
        }
        volume_destroy(&volume);
    }
    // Values that no fraction gives are at the ends.
    struct bytes bytes = { .size = 0 };
    put_head(&bytes, false, "POINT_DATA 24\nCOLOR_SCALARS a 1\n-1 2 nan 1e30 -1e30 inf");
    for (int i = 6; i < COUNT; i++) {
        put_text(&bytes, " 1");
    }
    struct volume volume = accepted_saying(write_bytes("a.vtk", &bytes), &nothing, NULL);
    assert_memory_equal(volume.samples, "\0\xff\0\xff\0\xff\xff", 7);
    volume_destroy(&volume);
}

static void arrays_are_chosen(void **state)
{
    (void)state;
    for (int binary = 0; binary < 2; binary++) {
        struct bytes bytes = { .size = 0 };
        put_head(&bytes, binary, "FIELD FieldData 2\nTIME 1 1 double\n");
        put_values(&bytes, 7, 1, binary);
        put_text(&bytes, "\nCYCLE 1 1 int\n");
        put_values(&bytes, 5, 1, binary);
        put_text(&bytes, "\nMETADATA\nINFORMATION 1\nNAME x LOCATION y\n\nCELL_DATA 6\n");
        put_text(&bytes, "SCALARS c int\nLOOKUP_TABLE default\n");
        put_values(&bytes, 5, 6, binary);
        put_text(&bytes, "\nPOINT_DATA 24\nVECTORS v float\n");
        put_values(&bytes, 6, 3 * COUNT, binary);
        put_text(&bytes, "\nSCALARS a short\nLOOKUP_TABLE t\n");
        put_values(&bytes, 3, COUNT, binary);
        put_text(&bytes, "\nLOOKUP_TABLE t 6\n");
        put_values(&bytes, binary ? 0 : 6, 24, binary);
        put_text(&bytes, "\nCOLOR_SCALARS k 3\n");
        put_values(&bytes, binary ? 0 : 6, 3 * COUNT, binary);
        put_text(&bytes, "\nTEXTURE_COORDINATES t 2 float\n");
        put_values(&bytes, 6, 2 * COUNT, binary);
        put_text(&bytes, "\nFIELD more 2\nf 1 24 float\n");
        put_values(&bytes, 6, COUNT, binary);
        put_text(&bytes, "\ng 1 24 double\n");
        put_values(&bytes, 7, COUNT, binary);
        put_text(&bytes, "\n");
        write_bytes("a.vtk", &bytes);
        static const struct {
            const char *name;
            int kind;
        } there[] = { { NULL, 3 }, { "a", 3 }, { "f", 6 }, { "g", 7 } };
        for (size_t i = 0; i < 4; i++) {
            const struct volume_params params = { .pick.array = there[i].name };
            struct volume volume =
                accepted_saying(scratch("a.vtk"), &params, i == 0 ? "'a' is read" : NULL);
            check_samples(&volume, there[i].kind);
            volume_destroy(&volume);
        }
        static const struct {
            const char *name, *word;
            enum problem_kind code;
        } wrong[] = {
            { "v", "3 components", PROBLEM_INPUT },
            { "c", "cell data", PROBLEM_INPUT },
            { "TIME", "not point data", PROBLEM_INPUT },
            { "k", "3 components", PROBLEM_INPUT },
            { "t", "2 components", PROBLEM_INPUT },
            { "z", "its arrays are TIME, CYCLE, c, v, a, k, t, f, g", PROBLEM_USAGE },
        };
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            const struct volume_params params = { .pick.array = wrong[i].name };
            refused(scratch("a.vtk"), &params, wrong[i].code, wrong[i].word);
        }
    }
}

#define FIFTY "a_name_that_is_fifty_bytes_long_and_has_no_spaces_"

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
    } wrong[] = {
        { "# vtk DataFile Version 3.0\n", "BINARY or ASCII" },
        { "# vtk DataFile Version 3.0\nt\nTEXT\n", "BINARY or ASCII" },
        { "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n", "POLYDATA" },
        { "# vtk DataFile Version 3.0\nt\nASCII\nPOINTS\n", "DATASET" },
        { "DIMENSIONS 4 3\n", "three whole" },
        { "DIMENSIONS 4 3 2 1\n", "three whole" },
        { "DIMENSIONS 4 3 -2\n", "three whole" },
        { "DIMENSIONS 4 3 1e1\n", "three whole" },
        { "DIMENSIONS 4 6 1\n", "two samples" },
        { "POINT_DATA 24\n", "DIMENSIONS before" },
        { "DIMENSIONS 4 3 2\nSPACING 1 1\n", "three numbers" },
        { "DIMENSIONS 4 3 2\nORIGIN 1 1 x\n", "three numbers" },
        { "DIMENSIONS 4 3 2\nNONSENSE 1\n", "'NONSENSE'" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 23\n", "24 samples" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 25\n", "24 samples" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA x\n", "count" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\n", "the file ends" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nNONSENSE 1\n", "'NONSENSE'" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nSCALARS a\n", "SCALARS NAME" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nSCALARS a half\n", "'half'" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nSCALARS a int x\n", "SCALARS NAME" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nSCALARS a int 3\n1 2 3\n", "numbers" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nVECTORS a int\n1 2 3\n", "longer than the file" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nVECTORS a\n", "KEYWORD NAME TYPE" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nSCALARS a int\n1 2 3\n", "a.vtk" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nFIELD f 18446744073709551615\n", "array" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nFIELD f 1\na 18446744073709551615 2 int\n", "array" },
        { "DIMENSIONS 4 3 2\nCELL_DATA 6\nSCALARS c int\nLOOKUP_TABLE d\n1 2 3 4 5 6\n",
          "cell data" },
        { "DIMENSIONS 4 3 2\nCELL_DATA 6\nSCALARS " FIFTY FIFTY FIFTY FIFTY " int\n"
          "LOOKUP_TABLE d\n1 2 3 4 5 6\n",
          "Cell Data to Point Data)" },
        { "DIMENSIONS 4 3 2\nPOINT_DATA 24\nSCALARS a bit\n"
          "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
          "type bit" },
        { "DIMENSIONS 4 3 2\nSPACING 1 1 0\nPOINT_DATA 24\nSCALARS a int\n"
          "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
          "spacing" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bytes bytes = { .size = 0 };
        put_text(
            &bytes, "%s%s",
            wrong[i].text[0] == '#'
                ? ""
                : "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n",
            wrong[i].text);
        refused(write_bytes("a.vtk", &bytes), &nothing, PROBLEM_INPUT, wrong[i].word);
    }
    refused(scratch_write("b.vtk", "hello\n", 6), &nothing, PROBLEM_INPUT, "# vtk DataFile");
    struct bytes bytes = { .size = 0 };
    put_text(
        &bytes, "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET STRUCTURED_POINTS\n"
                "DIMENSIONS 4000000000 4000000000 4000000000\n");
    refused(write_bytes("a.vtk", &bytes), &nothing, PROBLEM_LIMIT, "");
}

static void sizes_must_match(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct bytes bytes = whole(kind, true);
        bytes.size--;
        refused(write_bytes("a.vtk", &bytes), &nothing, PROBLEM_INPUT, "a.vtk");
    }
    struct bytes bytes = whole(5, false);
    bytes.size -= 4; // a whole number
    refused(write_bytes("a.vtk", &bytes), &nothing, PROBLEM_INPUT, "a.vtk");
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * KINDS; i++) {
        const struct bytes bytes = whole(i / 2, i % 2);
        // Text may lose its last blank and the last digits of its last number.
        cut_everywhere("a.vtk", &bytes, bytes.size, 1, i % 2 ? 0 : 6);
        scramble("a.vtk", &bytes, bytes.size, 100);
    }
}

// The limit of a header's size does not apply to arrays that are skipped.
static void large_arrays_are_stepped_over(void **state)
{
    (void)state;
    const char *path = scratch("large.vtk");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(
        file, "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET STRUCTURED_POINTS\n"
              "DIMENSIONS 100 100 50\nPOINT_DATA 500000\nVECTORS v float\n");
    fseek(file, 500000 * 12, SEEK_CUR);
    fprintf(file, "\nSCALARS a unsigned_char\nLOOKUP_TABLE default\n");
    fseek(file, 499999, SEEK_CUR);
    fputc(77, file);
    assert_int_equal(fclose(file), 0);
    struct volume volume = accepted_saying(path, &nothing, "'a' is read");
    assert_true(volume_sample(&volume, 99, 99, 49) == 77);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type),
        cmocka_unit_test(keywords_are_read_loosely),
        cmocka_unit_test(colour_scalars_of_one_component_are_samples),
        cmocka_unit_test(arrays_are_chosen),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(sizes_must_match),
        cmocka_unit_test(cut_and_scrambled),
        cmocka_unit_test(large_arrays_are_stepped_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
