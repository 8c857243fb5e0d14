// Gaussian's cubes: grids, atoms, orbitals, and every kind of wrong file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"

static const struct volume_params nothing;

// What follows the comments, then the samples 0, 0.25 ... of 2 x 3 x 4 points.
static const char *write_cube(const char *name, const char *head)
{
    static struct bytes bytes;
    bytes.size = 0;
    put_text(&bytes, "a comment\n 5 more words, 1.0\n%s", head);
    for (int i = 0; i < 24; i++) {
        put_text(&bytes, " %.5E%s", i * 0.25, i % 4 == 3 ? "\n" : "");
    }
    return write_bytes(name, &bytes);
}

#define GRID  "2 0.5 0 0\n3 0 1.25 0\n4 0 0 2.75\n"
#define PLAIN "1 -1 2 3\n" GRID "6 6.0 0.1 0.2 0.3\n"

static void check_samples(const struct volume *volume)
{
    assert_int_equal(volume->file_type, VOLUME_FLOAT32);
    assert_true(volume->dim[0] == 4 && volume->dim[1] == 3 && volume->dim[2] == 2);
    for (uint32_t i = 0; i < 24; i++) {
        assert_true(volume_sample(volume, i % 4, i / 4 % 3, i / 12) == i * 0.25);
    }
}

static void reads_grids(void **state)
{
    (void)state;
    static const char *const heads[] = {
        PLAIN,
        "0 -1 2 3\n" GRID,                                             // no atoms
        "2 -1 2 3 1\n" GRID "6 6.0 1 2 3\n1 1.0 4 5 6\n",              // one value at each point
        "-1 -1 2 3\n" GRID "6 6.0 1 2 3\n 1 5\n",                      // one orbital
        "1 -1 2 3\n-2 0.5 0 0\n-3 0 1.25 0\n-4 0 0 2.75\n6 6 0 0 0\n", // lengths in angstrom
        "1 -1 2 3\r\n2 0.5 0 0\r\n3 0 1.25 0\r\n4 0 0 2.75\r\n6 6 0 0 0\r\n",
    };
    for (size_t i = 0; i < 2 * (sizeof heads / sizeof *heads); i++) {
        struct volume volume =
            accepted_saying(write_cube(i % 2 ? "no name" : "a.cube", heads[i / 2]), &nothing, NULL);
        check_samples(&volume);
        // z is fastest.
        reals_are(volume.spacing, (double[]){ 2.75, 1.25, 0.5 }, 3);
        reals_are(volume.direction, (double[]){ 0, 0, 1, 0, 1, 0, 1, 0, 0 }, 9);
        reals_are(volume.origin, (double[]){ -1, 2, 3 }, 3);
        volume_destroy(&volume);
    }
    // Atoms that are not there.
    struct volume volume =
        accepted_saying(write_cube("a.cube", "3 -1 2 3\n" GRID), &nothing, "3 atoms");
    check_samples(&volume);
    volume_destroy(&volume);
    // Skewed and left-handed.
    volume = accepted_saying(
        write_cube("a.cube", "0 0 0 0\n2 3 4 0\n3 0 1 0\n4 0 0 -2\n"), &nothing, NULL);
    reals_are(volume.spacing, (double[]){ 2, 1, 5 }, 3);
    reals_are(volume.direction, (double[]){ 0, 0, 0.6, 0, 1, 0.8, -1, 0, 0 }, 9);
    volume_destroy(&volume);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *head, *word;
    } wrong[] = {
        { "x 0 0 0\n" GRID, "line 3: expected the number of atoms" },
        { "1 0 0\n" GRID, "line 3: expected the number of atoms" },
        { "1 0 0 0 1 1\n" GRID, "line 3: expected the number of atoms" },
        { "1 0 0 0 2\n" GRID "6 6 0 0 0\n", "2 values at each point" },
        { "0 0 0 0\n2 1 0\n3 0 1 0\n4 0 0 1\n", "line 4: expected the number of points along x" },
        { "0 0 0 0\n2 1 0 0\n3 0 1 0\n4.5 0 0 1\n",
          "line 6: expected the number of points along z" },
        { "0 0 0 0\n2 1 0 0\n3 1 0 0\n4 0 0 1\n", "one plane" },
        { "0 0 0 0\n2 1 0 0\n3 0 0 0\n4 0 0 1\n", "spacing" },
        { "0 nan 0 0\n" GRID, "not finite" },
        { "0 0 0 0\n1 1 0 0\n6 0 1 0\n4 0 0 1\n", "two samples" },
        { "0 0 0 0\n2 1 0 0\n3 0 1 0\n5 0 0 1\n", "ends before" },
        { "2 0 0 0\n" GRID "6 6 0 0 0\n6 6 0 0\n", "line 8: expected an atom" },
        { "-1 0 0 0\n" GRID "6 6 0 0 0\n2 1 2\n", "2 orbitals" },
        { "-1 0 0 0\n" GRID "6 6 0 0 0\n\n", "0 orbitals" },
        { "0 0 0 0\n" GRID "x", "not a number" },
        { "90 0 0 0\n" GRID "6 6 0 0 0\n", "expected an atom" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refused(write_cube("a.cube", wrong[i].head), &nothing, PROBLEM_INPUT, wrong[i].word);
    }
    static const char table[] = "TITLE \"colours\"\nLUT_3D_SIZE 2\n0 0 0\n1 0 0\n";
    refused(
        scratch_write("a.cube", table, sizeof table - 1), &nothing, PROBLEM_INPUT, "as in a cube");
    refused(scratch_write("a.cube", "a\nb\n", 4), &nothing, PROBLEM_INPUT, "before its grid");
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    struct bytes bytes = { .size = 0 };
    put_text(&bytes, "a comment\n 5 more words, 1.0\n" PLAIN);
    const size_t header = bytes.size;
    for (int i = 0; i < 24; i++) {
        put_text(&bytes, " %.5E", i * 0.25);
    }
    cut_everywhere("a.cube", &bytes, header, 12, 12);
    scramble("a.cube", &bytes, header, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_grids),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(cut_and_scrambled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
