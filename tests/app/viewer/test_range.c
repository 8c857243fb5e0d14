// The isovalue as it is typed, and positions in the range of the samples.
// ctest: plain
#include "app/base/isovalue.h"
#include "app/base/number.h"
#include "app/base/range.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void typed_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum isovalue_kind kind;
        double value;
    } good[] = {
        { "1,5", ISOVALUE_NUMBER, 1.5 },        { "1.5", ISOVALUE_NUMBER, 1.5 },
        { " -2,5e3 ", ISOVALUE_NUMBER, -2500 }, { "12,5%", ISOVALUE_PERCENT, 12.5 },
        { "Auto", ISOVALUE_AUTO, 0 },           { "300\t", ISOVALUE_NUMBER, 300 },
        { "p99", ISOVALUE_PERCENTILE, 99 },     { " P99,5 ", ISOVALUE_PERCENTILE, 99.5 },
        { "p0", ISOVALUE_PERCENTILE, 0 },       { "p100", ISOVALUE_PERCENTILE, 100 },
    };
    char reason[200];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct isovalue isovalue;
        assert_true(isovalue_typed(good[i].text, &isovalue, reason));
        assert_int_equal(isovalue.kind, good[i].kind);
        assert_true(isovalue.value == good[i].value);
    }
    static const char *const bad[][2] = {
        { "", "The field was empty." },
        { "  ", "The field was empty." },
        { "abc", "\"abc\" is not a number." },
        { "1.5 2", "\"1.5 2\" is not a number." },
        { "0x10", "\"0x10\" is not a number." },
        { "%", "\"%\" is not a number." },
        { "p", "\"p\" is not a number." },
        { "p99%", "\"p99%\" is not a number." },
        { "p101", "\"p101\" is no percentile; they are p0 to p100." },
        { "p-1", "\"p-1\" is no percentile; they are p0 to p100." },
        { "nan", "\"nan\" is no value that samples can be compared with." },
        { "-NaN", "\"-NaN\" is no value that samples can be compared with." },
        { "inf", "\"inf\" is too large." },
        { "1e999", "\"1e999\" is too large." },
        { "1,234,5",
          "\"1,234,5\" has more than one decimal point; leave out separators of thousands." },
        { "1,234.5",
          "\"1,234.5\" has more than one decimal point; leave out separators of thousands." },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct isovalue isovalue = { .value = 7 };
        assert_false(isovalue_typed(bad[i][0], &isovalue, reason));
        assert_string_equal(reason, bad[i][1]);
        assert_true(isovalue.value == 7);
    }
    // A text that fills the field.
    char most[64];
    memset(most, '"', sizeof most - 1);
    most[63] = 0;
    struct isovalue isovalue;
    assert_false(isovalue_typed(most, &isovalue, reason));
    // What is for scripts knows no comma.
    assert_false(isovalue_parse("1,5", &isovalue));
}

static void ticks(void **state)
{
    (void)state;
    static const double cases[][2] = {
        { 1, 1 },    { 1.1, 2 },   { 2, 2 },        { 2.0001, 5 },  { 5.1, 10 },
        { 70, 100 }, { 0.3, 0.5 }, { 0.011, 0.02 }, { 6e-7, 1e-6 }, { 3e37, 5e37 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double tick = range_tick(cases[i][0]);
        assert_true(fabs(tick - cases[i][1]) <= 1e-12 * cases[i][1]);
    }
}

// A value under the mouse has no more digits than what is shown needs, and is right to a pixel.
static void values(void **state)
{
    (void)state;
    const struct volume_facts facts = { .min = 0, .max = 255 };
    assert_true(range_value(&facts, 1 / 3., 1) == 85);
    assert_true(range_value(&facts, 0.1234567, 1) == 31.5);
    assert_true(range_value(&facts, 0.1234567, 0.001) == 31.4815);
    assert_true(range_value(&facts, 2, 1) == 255);
    // Fine steps are not lost, and come back.
    double value = 100;
    for (int i = 0; i < 10; i++) {
        value = range_step(&facts, value, 1e-7);
    }
    assert_true(fabs(value - 100.000255) < 1e-8);
    for (int i = 0; i < 10; i++) {
        value = range_step(&facts, value, -1e-7);
    }
    assert_true(value == 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_values),
        cmocka_unit_test(ticks),
        cmocka_unit_test(values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
