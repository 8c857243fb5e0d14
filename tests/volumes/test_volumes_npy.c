// NumPy's .npy: types, versions, both orders of the axes, and every kind of wrong file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"

#include <math.h>

static const struct volume_params nothing;

static const struct {
    const char *name;
    enum volume_type type;
    size_t size;
} kinds[] = {
    { "b1", VOLUME_UINT8, 1 },   { "u1", VOLUME_UINT8, 1 },   { "i1", VOLUME_INT8, 1 },
    { "u2", VOLUME_UINT16, 2 },  { "i2", VOLUME_INT16, 2 },   { "u4", VOLUME_UINT32, 4 },
    { "i4", VOLUME_INT32, 4 },   { "u8", VOLUME_UINT32, 8 },  { "i8", VOLUME_INT32, 8 },
    { "f2", VOLUME_FLOAT16, 2 }, { "f4", VOLUME_FLOAT32, 4 }, { "f8", VOLUME_FLOAT64, 8 },
};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

// The bits of the whole numbers 0 ... 46 as float16.
static uint64_t half_of(int value)
{
    int exponent = 0;
    while (value >> (exponent + 1)) {
        exponent++;
    }
    return value ? (uint64_t)((exponent + 15) << 10 | ((value << (10 - exponent)) & 0x3ff)) : 0;
}

static int value_of(int kind, int i)
{
    return kind == 0 ? i % 2 : 2 * i;
}

// A file with this dict and 24 samples.
static struct bytes file(int version, const char *dict, int kind, bool big)
{
    struct bytes bytes = { .size = 0 };
    const size_t begin = version == 1 ? 10 : 12, length = 128 - begin;
    put_bytes(&bytes, "\x93NUMPY", 6);
    put_bits(&bytes, (uint64_t)version, 1, false);
    put_bits(&bytes, 0, 1, false);
    put_bits(&bytes, length, begin - 8, false);
    put_text(&bytes, "%-*s\n", (int)length - 1, dict);
    for (int i = 0; i < 24; i++) {
        if (kinds[kind].type == VOLUME_FLOAT16) {
            put_bits(&bytes, half_of(value_of(kind, i)), 2, big);
        } else if (kinds[kind].size == 8 && kinds[kind].type != VOLUME_FLOAT64) {
            put_bits(&bytes, (uint64_t)value_of(kind, i), 8, big);
        } else {
            put_sample(&bytes, value_of(kind, i), kinds[kind].type, big);
        }
    }
    return bytes;
}

static void reads_every_type(void **state)
{
    (void)state;
    for (int form = 0; form < 12 * KINDS; form++) {
        const int kind = form / 12, version = 1 + form % 3;
        const bool big = form & 1, fortran = form / 6 % 2;
        char dict[100];
        snprintf(
            dict, sizeof dict, "{'descr': '%s%s', 'fortran_order': %s, 'shape': (%s), }",
            kinds[kind].size == 1 ? "|"
            : big                 ? ">"
                                  : "<",
            kinds[kind].name, fortran ? "True" : "False", fortran ? "4, 3, 2" : "2, 1, 3, 4, 1");
        const struct bytes bytes = file(version, dict, kind, big);
        struct volume volume = accepted_saying(write_bytes("a.npy", &bytes), &nothing, NULL);
        assert_int_equal(volume.file_type, kinds[kind].type);
        assert_true(volume.dim[0] == 4 && volume.dim[1] == 3 && volume.dim[2] == 2);
        for (uint32_t i = 0; i < 24; i++) {
            assert_true(volume_sample(&volume, i % 4, i / 4 % 3, i / 12) == value_of(kind, (int)i));
        }
        // The last axis of the array is x: in Fortran order the slowest of the file.
        reals_are(volume.spacing, (double[]){ 1, 1, 1 }, 3);
        reals_are(
            volume.direction,
            fortran ? (double[]){ 0, 0, 1, 0, 1, 0, 1, 0, 0 }
                    : (double[]){ 1, 0, 0, 0, 1, 0, 0, 0, 1 },
            9);
        volume_destroy(&volume);
    }
}

static void halves_are_exact(void **state)
{
    (void)state;
    static const struct {
        uint16_t bits;
        double value;
    } halves[] = { { 0x3c00, 1 },        { 0xc000, -2 },         { 0x7bff, 65504 },
                   { 0x0001, 0x1p-24 },  { 0x83ff, -0x3ffp-24 }, { 0x0400, 0x1p-14 },
                   { 0x7c00, HUGE_VAL }, { 0xfc00, -HUGE_VAL } };
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        assert_true(volume_half(halves[i].bits) == halves[i].value);
    }
    assert_true(isnan(volume_half(0x7c01)) && isnan(volume_half(0xffff)));
    assert_true(signbit(volume_half(0x8000)) && volume_half(0x8000) == 0);
}

#define PLAIN(descr, order, shape)                                                                 \
    "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *dict, *word;
    } wrong[] = {
        { PLAIN("'<c16'", "False", "(2, 3, 4)"), "holds '<c16'" },
        { PLAIN("'|O'", "False", "(2, 3, 4)"), "holds '|O'" },
        { PLAIN("'<f16'", "False", "(2, 3, 4)"), "holds '<f16'" },
        { PLAIN("[('x', '<f4')]", "False", "(2, 3, 4)"), "holds [('x'" },
        { PLAIN("'", "False", "(2, 3, 4)"), "holds" },
        { PLAIN("'|u1'", "Maybe", "(2, 3, 4)"), "fortran_order" },
        { PLAIN("'|u1'", "False", "(6, 4)"), "shape (6, 4)" },
        { PLAIN("'|u1'", "False", "(2, 3, 2, 2)"), "shape (2, 3, 2, 2)" },
        { PLAIN("'|u1'", "False", "(24,)"), "shape (24,)" },
        { PLAIN("'|u1'", "False", "()"), "shape ()" },
        { PLAIN("'|u1'", "False", "(0, 3, 4)"), "shape (0, 3, 4)" },
        { PLAIN("'|u1'", "False", "(2, -3, 4)"), "shape (2, -3, 4)" },
        { PLAIN("'|u1'", "False", "(2, 3, 4"), "shape (2, 3, 4" },
        { PLAIN("'|u1'", "False", "(2, 3, 5)"), "cut short" },
        { "{'descr': '|u1', 'fortran_order': False}", "no 'shape'" },
        { "{'descr': '|u1', 'shape': (2, 3, 4)}", "no 'fortran_order'" },
        { "{'shape': (2, 3, 4)}", "no 'descr'" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct bytes bytes = file(1, wrong[i].dict, 1, false);
        refused(write_bytes("a.npy", &bytes), &nothing, PROBLEM_INPUT, wrong[i].word);
    }
    static const char plain[] = PLAIN("'|u1'", "False", "(2, 3, 4)");
    struct bytes bytes = file(4, plain, 1, false);
    refused(write_bytes("a.npy", &bytes), &nothing, PROBLEM_INPUT, "version 1, 2 or 3");
    refused(scratch_write("b.npy", "what?", 5), &nothing, PROBLEM_INPUT, "not a NumPy array");
    bytes = file(1, plain, 1, false);
    put_bits(&bytes, 0, 2, false);
    struct volume volume = accepted_saying(write_bytes("a.npy", &bytes), &nothing, "2 bytes after");
    volume_destroy(&volume);
    // 64 bits that 32 cannot hold.
    bytes = file(1, PLAIN("'<u8'", "False", "(2, 3, 4)"), 7, false);
    bytes.at[128 + 5 * 8 + 4] = 1;
    refused(write_bytes("a.npy", &bytes), &nothing, PROBLEM_INPUT, "sample 5");
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    const struct bytes bytes = file(1, PLAIN("'<f2'", "False", "(2, 3, 4)"), 9, false);
    cut_everywhere("a.npy", &bytes, bytes.size, 1, 0);
    scramble("a.npy", &bytes, 128, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type),
        cmocka_unit_test(halves_are_exact),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(cut_and_scrambled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
