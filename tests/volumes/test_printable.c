// Text for people: how every character and byte is shown, and texts that are too long.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "volumes/base/printable.h"
#include "volumes/base/problem.h"

#include <stdlib.h>
#include <string.h>

static void shows(const char *text, const char *expected)
{
    char out[200];
    printable_copy(text, out, sizeof out);
    assert_string_equal(out, expected);
    char *put = NULL;
    size_t size;
    FILE *file = open_memstream(&put, &size);
    assert_non_null(file);
    printable_put(text, file);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(put, expected);
    free(put);
    struct problem problem;
    assert_false(problem_set(&problem, PROBLEM_INPUT, "%s", text));
    assert_string_equal(problem.text, expected);
}

static void what_is_shown(void **state)
{
    (void)state;
    shows("", "");
    shows("a b\\c~", "a b\\c~");
    shows(
        "h\xc3\xa4nd \xe2\x86\x92 \xe5\xbf\x83 \xf0\x9f\xab\x80",
        "h\xc3\xa4nd \xe2\x86\x92 \xe5\xbf\x83 \xf0\x9f\xab\x80");
    shows("\x1b]0;x\x07\r\n\t\x7f", "\\x1b]0;x\\x07\\x0d\\x0a\\x09\\x7f");
    shows(
        "\xc2\x9b"
        "31m",
        "\\u009b31m"); // a control of eight bits
    shows(
        "a\xe2\x80\xae"
        "b",
        "a\\u202eb"); // from right to left
    shows("\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c", "\\u2066\\u2069\\u061c");
    shows("\xe2\x80\x8b\xef\xbb\xbf\xe2\x80\xa8", "\\u200b\\ufeff\\u2028");
    shows("\xf3\xa0\x81\x81", "\\U000e0041"); // a tag
    // Invalid UTF-8: a single byte, a sequence that is cut or overlong, a surrogate, beyond the
    // last code point.
    shows("\x80\xff", "\\x80\\xff");
    shows("\xe2\x80", "\\xe2\\x80");
    shows("\xf0\x9f\xab", "\\xf0\\x9f\\xab");
    shows("\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf", "\\xc0\\xaf\\xe0\\x80\\xaf\\xf0\\x80\\x80\\xaf");
    shows("\xed\xa0\x80", "\\xed\\xa0\\x80");
    shows("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
}

static size_t encode(uint32_t code, char out[5])
{
    const size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    for (size_t i = length; i-- > 1; code >>= 6) {
        out[i] = (char)(0x80 | (code & 0x3f));
    }
    out[0] = (char)(first[length] | code);
    out[length] = 0;
    return length;
}

// Each code point is shown as it is or by its number.
static void every_code_point(void **state)
{
    (void)state;
    uint32_t escaped = 0;
    for (uint32_t code = 1; code < 0x110000; code++) {
        char text[5], shown[16], expected[16];
        const size_t length = encode(code, text);
        const bool surrogate = code >= 0xd800 && code < 0xe000;
        assert_int_equal(utf8_length(text), surrogate ? 0 : length);
        if (surrogate) {
            continue;
        }
        assert_int_equal(printable_next(text, shown), length);
        if (strcmp(shown, text) != 0) {
            const char *format = code < 0x80 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x";
            snprintf(expected, sizeof expected, format, code);
            assert_string_equal(shown, expected);
            escaped++;
        }
    }
    assert_in_range(escaped, 4200, 4500); // nearly all of them of the plane of tags
}

// For any input, the output fits, is UTF-8 without control characters, and ends like the input.
static void any_bytes_at_any_length(void **state)
{
    (void)state;
    static const char *const some[] = {
        "a",    "\xc3\xa4",     "\xe2\x86\x92", "\xf0\x9f\xab\x80",
        "\x1b", "\xe2\x80\xae", "\xff",         "\xf3\xa0\x81\x81",
    };
    uint32_t random = 7;
    for (int round = 0; round < 4000; round++) {
        char text[400] = "", out[128], whole[2000];
        for (size_t at = 0, count = random >> 25; count > 0; count--) {
            random = random * 1664525 + 1013904223;
            const char *next = some[random >> 29];
            at = (size_t)(stpcpy(text + at, next) - text);
            if (at > sizeof text - 8) {
                break;
            }
        }
        random = random * 1664525 + 1013904223;
        const size_t size = 32 + (random >> 16) % (sizeof out - 32);
        printable_copy(text, whole, sizeof whole);
        printable_copy(text, out, size);
        assert_true(strlen(out) < size);
        for (const char *at = out; *at; at += utf8_length(at)) {
            assert_true(utf8_length(at) > 0 && (unsigned char)*at >= 0x20);
        }
        if (strlen(whole) < size) {
            assert_string_equal(out, whole);
            continue;
        }
        const char *gap = strstr(out, " ... ");
        assert_non_null(gap);
        assert_memory_equal(out, whole, (size_t)(gap - out));
        assert_string_equal(gap + 5, whole + strlen(whole) - strlen(gap + 5));
        assert_true(strlen(out) + 2 * 10 + 2 > size); // no more is dropped than must be
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shown),
        cmocka_unit_test(every_code_point),
        cmocka_unit_test(any_bytes_at_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
