// VolVis's SLC: plain and in runs, its picture, and every kind of wrong file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"

static const struct volume_params nothing;

// Two slices of 4 x 3 samples: 7 are equal, then the numbers 1 to 5 come. The file's icon has 2 x 5 pixels.
static struct bytes build(bool runs, int extra)
{
    struct bytes bytes = { .size = 0 };
    put_text(&bytes, "11111\n4 3 2 8\n0.5 1.25 2.75\n1 6 0 %d\n2 5 X", runs);
    for (int i = 0; i < 3 * 2 * 5; i++) {
        put_bits(&bytes, 'X', 1, false);
    }
    for (int z = 0; z < 2; z++) {
        if (runs) {
            put_text(&bytes, "%d X", 9 + (z == 0 ? extra : 0));
            put_bytes(&bytes, "\7\310\205\1\2\3\4\5\0", 9);
            for (int i = 0; z == 0 && i < extra; i++) {
                put_bits(&bytes, '9', 1, false);
            }
        } else {
            put_bytes(&bytes, "\310\310\310\310\310\310\310\1\2\3\4\5", 12);
        }
    }
    return bytes;
}

static void reads_both_forms(void **state)
{
    (void)state;
    for (int form = 0; form < 3; form++) { // plain, runs, runs with bytes behind a slice
        const struct bytes bytes = build(form > 0, form == 2 ? 3 : 0);
        struct volume volume = accepted_saying(write_bytes("a.slc", &bytes), &nothing, NULL);
        assert_int_equal(volume.file_type, VOLUME_UINT8);
        assert_true(volume.dim[0] == 4 && volume.dim[1] == 3 && volume.dim[2] == 2);
        for (uint32_t i = 0; i < 24; i++) {
            const uint32_t k = i % 12;
            assert_true(volume_sample(&volume, i % 4, i / 4 % 3, i / 12) == (k < 7 ? 200 : k - 6));
        }
        reals_are(volume.spacing, (double[]){ 0.5, 1.25, 2.75 }, 3);
        volume_destroy(&volume);
    }
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
    } wrong[] = {
        { "11111 4 3 2 16 1 1 1 1 6 0 1 0 0 X", "16 bits" },
        { "11111 4 3 2 8 1 1 1 1 6 0 2 0 0 X", "compression 2" },
        { "11111 4 3 2 8 1 1 0 1 6 0 1 0 0 X9 X\7\310\205\1\2\3\4\5", "spacing" },
        { "11111 4 3 -2 8 1 1 1 1 6 0 1 0 0 X", "not an SLC volume" },
        { "11111 4 3 2.5 8 1 1 1 1 6 0 1 0 0 X", "not an SLC volume" },
        { "11111 4 3 2 8 1 1 1 1 6 0 1 0 0 Y", "not an SLC volume" },
        { "11111 4 3 2 8 1 1 1 1 6 0 1 0 ", "not an SLC volume" },
        { "11112 4 3 2 8 1 1 1 1 6 0 1 0 0 X", "not an SLC volume" },
        { "11111 4 3 1 8 1 1 1 1 6 0 1 0 0 X", "two samples" },
        { "11111 4 3 2 8 1 1 1 1 6 0 0 0 0 X12345678901234567890123", "cut short" },
        { "11111 4 3 2 8 1 1 1 1 6 0 1 900 900 X", "begin at byte" },
        { "11111 400 300 200 8 1 1 1 1 6 0 1 0 0 X9 X", "too few" },
        { "11111 4 3 2 8 1 1 1 1 6 0 1 0 0 X9 Y", "expected its number of bytes" },
        { "11111 4 3 2 8 1 1 1 1 6 0 1 0 0 X2 X\7\310\205\1\2\3\4\5", "ends before" },
        { "11111 4 3 2 8 1 1 1 1 6 0 1 0 0 X9 X\7\310\200\205\1\2\3\4\5", "ends before" },
        { "11111 4 3 2 8 1 1 1 1 6 0 1 0 0 X9 X\7\310\205\1\2\3\4\5", "ends before" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *path = scratch_write("a.slc", wrong[i].text, strlen(wrong[i].text));
        struct volume volume;
        struct problem problem;
        assert_false(volume_read(path, &nothing, &volume, &problem));
        if (problem.kind != PROBLEM_INPUT || !strstr(problem.text, wrong[i].word)) {
            fail_msg("expected '%s': %s", wrong[i].word, problem.text);
        }
    }
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    struct bytes bytes = build(true, 0);
    cut_everywhere("a.slc", &bytes, bytes.size, 1, 1); // the mark of the last slice's end
    scramble("a.slc", &bytes, bytes.size, 1500);
    bytes = build(false, 0);
    cut_everywhere("a.slc", &bytes, bytes.size, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_both_forms),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(cut_and_scrambled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
