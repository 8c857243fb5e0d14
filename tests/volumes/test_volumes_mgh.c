// FreeSurfer's MGH: types, frames, where a volume lies, and every kind of wrong file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"

#include <math.h>

static const struct volume_params nothing;

static const struct {
    unsigned code;
    enum volume_type type;
} kinds[] = { { 0, VOLUME_UINT8 },
              { 1, VOLUME_INT32 },
              { 3, VOLUME_FLOAT32 },
              { 4, VOLUME_INT16 },
              { 10, VOLUME_UINT16 } };

// A volume of 4 x 3 x 2 in these frames, samples 0, 2, 4 ...; placed by 15 numbers, or not.
static struct bytes build(int kind, unsigned frames, const double *place)
{
    struct bytes bytes = { .size = 0 };
    const unsigned words[] = { 1, 4, 3, 2, frames, kinds[kind].code, 0 };
    for (int i = 0; i < 7; i++) {
        put_bits(&bytes, words[i], 4, true);
    }
    put_bits(&bytes, place != NULL, 2, true);
    for (int i = 0; i < 15; i++) {
        put_bits(&bytes, place ? bits_of(place[i], 4) : 0x12345678, 4, true);
    }
    while (bytes.size < 284) {
        put_bits(&bytes, 0, 1, true);
    }
    for (unsigned i = 0; i < 24 * frames; i++) {
        put_sample(&bytes, 2 * (int)i, kinds[kind].type, true);
    }
    return bytes;
}

static void reads_every_type(void **state)
{
    (void)state;
    for (int form = 0; form < 10; form++) {
        struct bytes bytes = build(form / 2, 1 + form % 2, NULL);
        put_text(&bytes, "tags that FreeSurfer writes");
        struct volume volume =
            accepted_saying(write_bytes("a.mgh", &bytes), &nothing, form % 2 ? "2 volumes" : NULL);
        assert_int_equal(volume.file_type, kinds[form / 2].type);
        assert_true(volume.dim[0] == 4 && volume.dim[1] == 3 && volume.dim[2] == 2);
        for (uint32_t i = 0; i < 24; i++) {
            assert_true(volume_sample(&volume, i % 4, i / 4 % 3, i / 12) == 2 * i);
        }
        // A file that says no place has coronal slices around the origin. Its RAS is read as LPS.
        reals_are(volume.spacing, (double[]){ 1, 1, 1 }, 3);
        reals_are(volume.direction, (double[]){ 1, 0, 0, 0, 0, -1, 0, -1, 0 }, 9);
        reals_are(volume.origin, (double[]){ -2, 1, 1.5 }, 3);
        assert_int_equal(volume.frame, VOLUME_FRAME_LPS);
        volume_destroy(&volume);
    }
}

static void the_centre_is_placed(void **state)
{
    (void)state;
    const double half = sqrt(0.5);
    const double place[15] = { 2, 3, 4, half, half, 0, -half, half, 0, 0, 0, -1, 10, 20, 30 };
    const struct bytes bytes = build(3, 1, place);
    struct volume volume = accepted_saying(write_bytes("no name", &bytes), &nothing, NULL);
    reals_are(volume.spacing, (double[]){ 2, 3, 4 }, 3);
    reals_are(volume.direction, (double[]){ -half, half, 0, -half, -half, 0, 0, 0, -1 }, 9);
    // Half the samples lie before the centre: 2 along x, 1.5 along y, 1 along z.
    reals_are(
        volume.origin,
        (double[]){ -(10 - 4 * half + 4.5 * half), -(20 - 4 * half - 4.5 * half), 30 + 4 }, 3);
    volume_destroy(&volume);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        unsigned value;
        const char *word;
    } wrong[] = {
        { 0, 2, "does not begin with version 1" },
        { 20, 2, "type 2" },
        { 4, 1, "two samples" },
        { 4, 0, "two samples" },
        { 8, 0xffffffff, "a.mgh" },
        { 12, 3, "cut short" },
        { 16, 3, "cut short" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bytes bytes = build(0, 1, NULL);
        set_bits(&bytes, wrong[i].at, wrong[i].value, 4, true);
        struct volume volume;
        struct problem problem;
        assert_false(volume_read(write_bytes("a.mgh", &bytes), &nothing, &volume, &problem));
        if (!strstr(problem.text, wrong[i].word)) {
            fail_msg("expected '%s': %s", wrong[i].word, problem.text);
        }
    }
    const double flat[15] = { 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0 };
    const struct bytes bytes = build(0, 1, flat);
    refused(write_bytes("a.mgh", &bytes), &nothing, PROBLEM_INPUT, "one plane");
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    const struct bytes bytes = build(3, 1, NULL);
    cut_everywhere("a.mgh", &bytes, bytes.size, 1, 0);
    scramble("a.mgh", &bytes, 90, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type),
        cmocka_unit_test(the_centre_is_placed),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(cut_and_scrambled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
