// Names of raw files, and the proposals of raw_fit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "volumes/formats/raw_guess.h"
#include "volumes/formats/raw_name.h"

#include <string.h>

static void names_that_say_something(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        uint64_t dim[3];
        int type; // -1: not stated
        enum byte_order order;
        bool gzip;
    } cases[] = {
        { "bonsai_256x256x256_uint8.raw", { 256, 256, 256 }, VOLUME_UINT8, 0, false },
        { "a/b_7x7x7_int8.raw/c_2x3x4_uint16.raw", { 2, 3, 4 }, VOLUME_UINT16, 0, false },
        { "3d_neurons_15_sept_2016_2048x2048x1718_uint16.raw",
          { 2048, 2048, 1718 },
          VOLUME_UINT16,
          0,
          false },
        { "test.123x234x345.raw", { 123, 234, 345 }, -1, 0, false },
        { "a-1x2x3-float32.be.raw.gz", { 1, 2, 3 }, VOLUME_FLOAT32, BYTE_ORDER_BIG, true },
        { "A_10X20X30_UINT16_LE.RAW.GZ", { 10, 20, 30 }, VOLUME_UINT16, BYTE_ORDER_LITTLE, true },
        { "x_1x2x3_le.raw", { 1, 2, 3 }, -1, BYTE_ORDER_LITTLE, false },
        { "x_4x5x6_f64.raw", { 4, 5, 6 }, VOLUME_FLOAT64, 0, false },
        { "64x65x66_int32.raw", { 64, 65, 66 }, VOLUME_INT32, 0, false },
        { "x_0x5x5_uint8.raw", { 0, 5, 5 }, VOLUME_UINT8, 0, false },
        { "x_007x08x9_uint8.raw", { 7, 8, 9 }, VOLUME_UINT8, 0, false },
        { "x_18446744073709551615x2x2_int8.raw", { UINT64_MAX, 2, 2 }, VOLUME_INT8, 0, false },
        { "x_18446744073709551616x2x2_int8.raw", { UINT64_MAX, 2, 2 }, VOLUME_INT8, 0, false },
        { "x_2x2x99999999999999999999999999_int8.raw",
          { 2, 2, UINT64_MAX },
          VOLUME_INT8,
          0,
          false },
        { "two_2x2x2_3x3x3_uint8.raw", { 3, 3, 3 }, VOLUME_UINT8, 0, false },
        { "%s_2x2x2_uint8.raw", { 2, 2, 2 }, VOLUME_UINT8, 0, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct raw_name name;
        raw_name_parse(cases[i].path, &name);
        assert_true(name.raw);
        assert_true(name.has_dim);
        assert_memory_equal(name.dim, cases[i].dim, sizeof name.dim);
        assert_int_equal(name.has_type, cases[i].type >= 0);
        if (name.has_type) {
            assert_int_equal(name.type, cases[i].type);
        }
        assert_int_equal(name.order, cases[i].order);
        assert_int_equal(name.gzip, cases[i].gzip);
        assert_string_equal(name.foreign_type, "");
    }
}

static void names_that_do_not(void **state)
{
    (void)state;
    static const char *const raw[] = {
        ".raw",
        "a.raw",
        "x.raw.gz",
        "_2x2_uint8.raw",
        "x_2x2x_uint8.raw",
        "x_xx2_u8.raw",
        "x_1x2x3x4_u8.raw",
        "x_1x2x3x4.raw",
        "v2x2x2_u8.raw",
        "x_2x2x2_what.raw",
        "x_2x2x2uint8.raw",
        "x_1e9x2x2.raw",
        "x_2x2x2_u8_xe.raw",
        "uint8.raw",
        "x_2 x2x2_u8.raw",
        "x_2x2x2_uint8_.raw",
        "le.raw",
        "x_2x-2x2_u8.raw",
    };
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++) {
        struct raw_name name;
        raw_name_parse(raw[i], &name);
        assert_true(name.raw);
        assert_false(name.has_dim);
        assert_false(name.has_type);
        assert_int_equal(name.order, BYTE_ORDER_UNSAID);
    }
    static const char *const others[] = { "",     "raw",     "x_2x2x2_uint8.nrrd",
                                          "x.gz", "x.raw.z", "x_2x2x2_uint8.raw/",
                                          "/" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct raw_name name;
        raw_name_parse(others[i], &name);
        assert_false(name.raw);
        assert_false(name.has_dim);
    }
    struct raw_name name;
    raw_name_parse("x_2x2x2_int64.raw", &name);
    assert_true(name.has_dim && !name.has_type);
    assert_string_equal(name.foreign_type, "int64");
    // A long word before the dims does not hide them.
    raw_name_parse("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_2x3x4_uint8.raw", &name);
    assert_true(name.has_dim);
}

static void types_by_name(void **state)
{
    (void)state;
    static const char *const alias[] = { "u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64" };
    enum volume_type type;
    for (int i = 0; i < VOLUME_TYPES; i++) {
        assert_true(volume_type_parse(volume_type_name(i), &type) && (int)type == i);
        assert_true(volume_type_parse(alias[i], &type) && (int)type == i);
    }
    assert_false(volume_type_parse("", &type));
    assert_false(volume_type_parse("uint", &type));
    assert_false(volume_type_parse("uint64", &type));
    assert_false(volume_type_parse("uint8 ", &type));
}

static void proposals(void **state)
{
    (void)state;
    char text[200];
    raw_fit(24, (uint64_t[]){ 2, 3, 4 }, VOLUME_UINT16, text, sizeof text);
    assert_non_null(strstr(text, "2x3x4 uint8"));
    raw_fit(256 * 256 * 128, (uint64_t[]){ 256, 256, 256 }, VOLUME_UINT8, text, sizeof text);
    assert_non_null(strstr(text, "256x256x128 uint8"));
    raw_fit(17 * 19 * 23, (uint64_t[]){ 19, 17, 24 }, VOLUME_UINT8, text, sizeof text);
    assert_non_null(strstr(text, "19x17x23 uint8"));
    raw_fit(1000003, (uint64_t[]){ 100, 100, 100 }, VOLUME_UINT8, text, sizeof text);
    assert_string_equal(text, "");
    // Names without any clue, and numbers that would overflow.
    raw_fit(0, (uint64_t[]){ 100, 100, 100 }, VOLUME_UINT8, text, sizeof text);
    assert_string_equal(text, "");
    raw_fit(
        UINT64_MAX, (uint64_t[]){ UINT64_MAX, UINT64_MAX, UINT64_MAX }, VOLUME_UINT8, text,
        sizeof text);
    raw_fit(UINT64_MAX, (uint64_t[]){ 0, 0, 0 }, VOLUME_UINT8, text, sizeof text);
    // A buffer that is too small: the text is cut and nothing is written beyond it.
    char small[12];
    raw_fit(24, (uint64_t[]){ 2, 3, 4 }, VOLUME_UINT8, small, sizeof small);
    assert_true(strlen(small) < sizeof small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_say_something),
        cmocka_unit_test(names_that_do_not),
        cmocka_unit_test(types_by_name),
        cmocka_unit_test(proposals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
