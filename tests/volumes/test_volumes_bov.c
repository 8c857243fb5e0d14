// The reader of BOV: each type and byte order, components, where the brick lies, and each error.
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
    bool wide;
} kinds[] = {
    { "BYTE", VOLUME_UINT8, false },     { "short", VOLUME_INT16, false },
    { "INT", VOLUME_INT32, false },      { "LONG", VOLUME_INT32, true },
    { "FLOATS", VOLUME_FLOAT32, false }, { "DOUBLE", VOLUME_FLOAT64, false },
};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

// Writes r.raw: `skip` bytes, then the samples 0, 5, 10, ...
static void write_raw(int kind, bool big, int skip, int count)
{
    struct bytes bytes = { .size = (size_t)skip };
    for (int i = 0; i < count; i++) {
        if (kinds[kind].wide) {
            put_bits(&bytes, 5 * (uint64_t)i, 8, big);
        } else {
            put_sample(&bytes, 5 * i, kinds[kind].type, big);
        }
    }
    write_bytes("r.raw", &bytes);
}

static const char *write_text(const char *text)
{
    return scratch_write("a.bov", text, strlen(text));
}

#define PLAIN "DATA_FILE: r.raw\nDATA_SIZE: 4 3 2\nDATA_FORMAT: BYTE\n"

static void reads_every_type(void **state)
{
    (void)state;
    for (int form = 0; form < 2 * KINDS; form++) {
        char text[300];
        const bool big = form & 1;
        snprintf(
            text, sizeof text,
            "# c\nTIME: 1.5\n data_file : r.raw\nDATA_SIZE: 4 3 2\nDATA_FORMAT: %s\nVARIABLE: v\n"
            "DATA_ENDIAN: %s\nBYTE_OFFSET: 7\n",
            kinds[form / 2].name, big ? "BIG" : "LITTLE");
        write_raw(form / 2, big, 7, 24);
        struct volume volume = accepted_saying(write_text(text), &nothing, NULL);
        assert_int_equal(volume.file_type, kinds[form / 2].type);
        assert_true(volume.dim[0] == 4 && volume.dim[1] == 3 && volume.dim[2] == 2);
        for (uint32_t i = 0; i < 24; i++) {
            assert_true(volume_sample(&volume, i % 4, i / 4 % 3, i / 12) == 5 * i);
        }
        volume_destroy(&volume);
    }
}

static void places(void **state)
{
    (void)state;
    write_raw(0, false, 0, 24);
    static const struct {
        const char *text;
        double spacing[3], origin[3];
    } cases[] = {
        { PLAIN, { 1, 1, 1 }, { 0, 0, 0 } },
        { PLAIN "BRICK_ORIGIN: 1 2 3\n", { 1, 1, 1 }, { 1, 2, 3 } },
        { PLAIN "BRICK_ORIGIN: 1 2 3\nBRICK_SIZE: 6. 6. 6.\n", { 2, 3, 6 }, { 1, 2, 3 } },
        { PLAIN "BRICK_SIZE: 12 12 12\nCENTERING: zonal\n", { 3, 4, 6 }, { 1.5, 2, 3 } },
        { PLAIN "CENTERING: nodal\n", { 1, 1, 1 }, { 0, 0, 0 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct volume volume = accepted_saying(write_text(cases[i].text), &nothing, NULL);
        reals_are(volume.spacing, cases[i].spacing, 3);
        reals_are(volume.origin, cases[i].origin, 3);
        volume_destroy(&volume);
    }
}

static void components(void **state)
{
    (void)state;
    write_raw(0, false, 0, 48);
    for (uint32_t channel = 0; channel < 3; channel++) {
        const struct volume_params params = { .pick.channel = channel };
        struct volume volume =
            accepted_saying(write_text(PLAIN "DATA_COMPONENTS: 2\n"), &params, NULL);
        for (uint32_t i = 0; i < 24; i++) {
            const uint32_t number = 2 * i + (channel == 2);
            assert_true(volume_sample(&volume, i % 4, i / 4 % 3, i / 12) == (5 * number & 255));
        }
        volume_destroy(&volume);
    }
    const struct volume_params third = { .pick.channel = 3 };
    refused(
        write_text(PLAIN "DATA_COMPONENTS: 2\n"), &third, PROBLEM_USAGE, "--channel 2 is not one");
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    write_raw(0, false, 0, 24);
    static const struct {
        const char *text, *word;
    } wrong[] = {
        { "DATA_FILE: r.raw\nDATA_FORMAT: BYTE\n", "has no DATA_SIZE" },
        { "DATA_FILE: r.raw\nDATA_SIZE: 4 3 2\n", "has no DATA_FORMAT" },
        { "DATA_SIZE: 4 3 2\nDATA_FORMAT: BYTE\n", "has no DATA_FILE" },
        { PLAIN "what?\n", "KEY: value" },
        { PLAIN "DATA_SIZE: 4 3\n", "three numbers" },
        { PLAIN "BRICK_ORIGIN: a b c\n", "three numbers" },
        { PLAIN "BRICK_SIZE: 0 1 1\n", "a.bov" },
        { PLAIN "DATA_FORMAT: COMPLEX\n", "DATA_FORMAT COMPLEX" },
        { PLAIN "DATA_ENDIAN: MIDDLE\n", "DATA_ENDIAN MIDDLE" },
        { PLAIN "CENTERING: face\n", "CENTERING face" },
        { PLAIN "BYTE_OFFSET: -1\n", "BYTE_OFFSET" },
        { PLAIN "DATA_COMPONENTS: 257\n", "more than 256" },
        { PLAIN "DATA_FILE: r%02d.raw\n", "is a pattern" },
        { PLAIN "DATA_FILE: none.raw\n", "none.raw" },
        { PLAIN "DATA_SIZE: 4 3 3\n", "r.raw" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refused(write_text(wrong[i].text), &nothing, PROBLEM_INPUT, wrong[i].word);
    }
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    struct bytes bytes = { .size = 0 };
    write_raw(0, false, 0, 24);
    put_text(&bytes, PLAIN "BRICK_SIZE: 6 6 6\nDATA_ENDIAN: BIG\nCENTERING: zonal\n");
    scramble("a.bov", &bytes, bytes.size, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type),  cmocka_unit_test(places),
        cmocka_unit_test(components),        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(cut_and_scrambled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
