// OpenDX's regular grids: types, text and binary, grids, and every kind of wrong file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"

static const struct volume_params nothing;

static const struct {
    const char *name;
    enum volume_type type;
} kinds[] = { { "double", VOLUME_FLOAT64 },
              { "float", VOLUME_FLOAT32 },
              { "int", VOLUME_INT32 },
              { "short", VOLUME_INT16 },
              { "byte", VOLUME_INT8 },
              { "unsigned int", VOLUME_UINT32 },
              { "unsigned short", VOLUME_UINT16 },
              { "unsigned byte", VOLUME_UINT8 } };
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

#define POSITIONS "object 1 class gridpositions counts 2 3 4\n"
#define PLACE     "origin -1 2 3\ndelta 0.5 0 0\ndelta 0 1.25 0\ndelta 0 0 2.75\n"
#define CELLS     "object 2 class gridconnections counts 2 3 4\n"
#define NUMBERS   "object 3 class array type float rank 0 items 24 data follows\n"

static const char *write_text(const char *text)
{
    static struct bytes bytes;
    bytes.size = 0;
    put_text(&bytes, "%s", text);
    for (int i = 0; i < 24; i++) {
        put_text(&bytes, "%d%c", 2 * i, i % 3 == 2 ? '\n' : ' ');
    }
    put_text(&bytes, "attribute \"dep\" string \"positions\"\n");
    return write_bytes("a.dx", &bytes);
}

static void check_samples(const struct volume *volume, enum volume_type type)
{
    assert_int_equal(volume->file_type, type);
    assert_true(volume->dim[0] == 4 && volume->dim[1] == 3 && volume->dim[2] == 2);
    for (uint32_t i = 0; i < 24; i++) {
        assert_true(volume_sample(volume, i % 4, i / 4 % 3, i / 12) == 2 * i);
    }
    // z is fastest.
    reals_are(volume->spacing, (double[]){ 2.75, 1.25, 0.5 }, 3);
    reals_are(volume->direction, (double[]){ 0, 0, 1, 0, 1, 0, 1, 0, 0 }, 9);
    reals_are(volume->origin, (double[]){ -1, 2, 3 }, 3);
}

static void reads_every_type(void **state)
{
    (void)state;
    for (int form = 0; form < 3 * KINDS; form++) { // text, little, big
        const int kind = form / 3, how = form % 3;
        struct bytes bytes = { .size = 0 };
        put_text(
            &bytes,
            "# a comment\n\n" POSITIONS PLACE CELLS
            "object 3 class array type %s rank 0 items 24 %s data follows\n",
            kinds[kind].name,
            how == 1   ? "lsb ieee"
            : how == 2 ? "msb binary"
                       : "");
        for (int i = 0; i < 24; i++) {
            if (how) {
                put_sample(&bytes, 2 * i, kinds[kind].type, how == 2);
            } else {
                put_text(&bytes, "%d%c", 2 * i, i % 3 == 2 ? '\n' : ' ');
            }
        }
        put_text(&bytes, "\nobject \"density\" class field\n");
        struct volume volume =
            accepted_saying(write_bytes(form % 2 ? "a.dx" : "b", &bytes), &nothing, NULL);
        check_samples(&volume, kinds[kind].type);
        assert_true(volume.density); // as maps of the same grid, so that the isovalue is the same
        volume_destroy(&volume);
    }
}

static void reads_what_writers_leave_away(void **state)
{
    (void)state;
    static const char *const heads[] = {
        POSITIONS "-1 2 3\n0.5 0 0\n0 1.25 0\n0 0 2.75\n" NUMBERS,
        POSITIONS PLACE "object 3 class array type float rank 0 items 24 follows\n",
        POSITIONS PLACE "Object 3 Class Array Type \"FLOAT\" Items 24 Data Follows\r\n",
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct volume volume = accepted_saying(write_text(heads[i]), &nothing, NULL);
        check_samples(&volume, VOLUME_FLOAT32);
        volume_destroy(&volume);
    }
    struct volume volume = accepted_saying(
        write_text(POSITIONS "origin 0 0 0\ndelta 3 4 0\ndelta 0 1 0\ndelta 0 0 -2\n" NUMBERS),
        &nothing, NULL);
    reals_are(volume.spacing, (double[]){ 2, 1, 5 }, 3);
    reals_are(volume.direction, (double[]){ 0, 0, 0.6, 0, 1, 0.8, -1, 0, 0 }, 9);
    volume_destroy(&volume);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
    } wrong[] = {
        { "what?\n", "'what?' does not belong" },
        { POSITIONS PLACE, "no array" }, // and numbers that are no place
        { "object 1 class gridpositions counts 2 3\n" PLACE NUMBERS, "three counts" },
        { "object 1 class gridpositions counts 2 3 x\n" PLACE NUMBERS, "three counts" },
        { "object 1 class gridpositions counts 2 3 5\n" PLACE NUMBERS, "24 items" },
        { "object 1 class gridpositions counts 24 1 1\n" PLACE NUMBERS, "two samples" },
        { PLACE NUMBERS, "24 items" },
        { POSITIONS NUMBERS, "0 of the origin" },
        { POSITIONS "origin 1 2 3\n" NUMBERS, "1 of the origin" },
        { POSITIONS PLACE "delta 1 0 0\n" NUMBERS, "origin and three steps" },
        { POSITIONS "origin 1 2 x\n", "origin and three steps" },
        { POSITIONS "origin 0 0 0\ndelta 1 0 0\ndelta 1 0 0\ndelta 0 0 1\n" NUMBERS, "one plane" },
        { POSITIONS PLACE "object 3 class array type float rank 1 shape 3 items 24 data follows\n",
          "rank 0" },
        { POSITIONS PLACE "object 3 class array type string rank 0 items 24 data follows\n",
          "expected an array" },
        { POSITIONS PLACE "object 3 class array type float rank 0 items 24 data file x,0\n",
          "whose data follow" },
        { POSITIONS PLACE "object 3 class array type float rank 0 items x data follows\n",
          "items" },
        { POSITIONS PLACE "object 2 class irregular\n", "does not belong" },
        { POSITIONS PLACE NUMBERS "x ", "not a number" },
        { POSITIONS PLACE "object 3 class array type byte rank 0 items 24 data follows\n999 ",
          "range" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *path = i == 1 ? scratch_write("a.dx", wrong[i].text, strlen(wrong[i].text))
                                  : write_text(wrong[i].text);
        refused(path, &nothing, PROBLEM_INPUT, wrong[i].word);
    }
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    struct bytes bytes = { .size = 0 };
    put_text(&bytes, POSITIONS PLACE CELLS NUMBERS);
    const size_t header = bytes.size;
    for (int i = 0; i < 24; i++) {
        put_text(&bytes, "%d ", i);
    }
    cut_everywhere("a.dx", &bytes, header, 1, 2);
    scramble("a.dx", &bytes, header, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type),
        cmocka_unit_test(reads_what_writers_leave_away),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(cut_and_scrambled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
