// Numbers in files and on the command line, compared with the C library.
#include "app/base/isovalue.h"
#include "app/base/number.h"
#include "tests/fuzz/target.h"
#include "volumes/formats/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static bool only(const char *text, const char *letters)
{
    return *text && text[strspn(text, letters)] == 0;
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void check_text(const char *text)
{
    char *end;
    uint64_t count = 0;
    int64_t whole = 0;
    double real = 0;
    const bool is_count = text_count(text, &count);
    HOLDS(is_count == only(text + (*text == '+'), "0123456789"), "a count: %s", text);
    if (is_count) {
        errno = 0;
        const uint64_t expected = strtoull(text, &end, 10);
        HOLDS(!*end && count == expected, "%" PRIu64 ": %s", count, text);
    }
    const bool is_whole = text_whole(text, &whole);
    errno = 0;
    const int64_t expected = strtoll(text, &end, 10);
    const char *digits = text + (*text == '+' || *text == '-');
    // The lowest number has no positive one.
    HOLDS(
        is_whole == (only(digits, "0123456789") && errno == 0 && !*end && expected != INT64_MIN),
        "whole: %s", text);
    HOLDS(!is_whole || whole == expected, "%" PRId64 ": %s", whole, text);
    if (text_real(text, &real)) {
        const double value = strtod(text, &end);
        HOLDS(!*end && same(value, real), "%g: %s", real, text);
        HOLDS(!strpbrk(text, "xXpP \t\r\n\v\f"), "decimal: %s", text);
    } else {
        // What it refuses is no plain decimal number.
        HOLDS(
            !is_count && !is_whole &&
                !(isdigit((unsigned char)*text) && (strtod(text, &end), !*end) &&
                  !strpbrk(text, "xXpP")),
            "a number: %s", text);
    }
}

static void check_command_line(const char *text, size_t length)
{
    double number = 0;
    uint64_t count = 0;
    struct isovalue isovalue = { 0 };
    char *end;
    const uint64_t most = draw() % 2 ? UINT64_MAX : draw() % 100000;
    const bool is_number = number_parse(text, length, &number);
    if (is_number) {
        char shown[32];
        double again;
        HOLDS(isfinite(number) && number == strtod(text, &end) && !*end, "%g: %s", number, text);
        number_text(number, shown);
        HOLDS(
            number_parse(shown, strlen(shown), &again) && same(again, number), "%s, not %s", shown,
            text);
    }
    errno = 0;
    const uint64_t expected = strtoull(text, &end, 10);
    const enum whole kind = whole_parse(text, length, most, &count);
    const bool digits = only(text, "0123456789");
    HOLDS(
        kind == (digits ? errno || expected > most ? WHOLE_TOO_LARGE : WHOLE_OK
                 : *text == '-' && only(text + 1, "0123456789") ? WHOLE_NEGATIVE
                                                                : WHOLE_NOT_A_NUMBER),
        "kind %d: %s", kind, text);
    HOLDS(kind != WHOLE_OK || count == expected, "%" PRIu64 ": %s", count, text);
    const bool percent = length > 0 && text[length - 1] == '%';
    if (isovalue_parse(text, &isovalue)) {
        HOLDS(
            isovalue.kind == ISOVALUE_AUTO ? strcmp(text, "auto") == 0
            : percent                      ? isovalue.kind == ISOVALUE_PERCENT
            : *text == 'p' ? isovalue.kind == ISOVALUE_PERCENTILE && isovalue.value >= 0 &&
                                 isovalue.value <= 100
                           : isovalue.kind == ISOVALUE_NUMBER && is_number,
            "kind %d: %s", isovalue.kind, text);
        static const struct volume_facts facts = { .min = -3, .max = 5, .iso = 1 };
        const double value = isovalue_resolve(&isovalue, &facts);
        HOLDS(isovalue.kind != ISOVALUE_NUMBER || same(value, number), "%g: %s", value, text);
    } else {
        HOLDS(!is_number && strcmp(text, "auto") != 0, "an isovalue: %s", text);
    }
}

static void check_split(const char *text)
{
    const char *starts[4], *at = text;
    size_t lengths[4];
    const size_t count = split(text, ',', 4, starts, lengths);
    for (size_t i = 0; i < count && i < 4; i++) {
        HOLDS(starts[i] == at && lengths[i] == strcspn(at, ","), "part %zu of %s", i, text);
        at += lengths[i] + 1;
    }
    size_t commas = 0;
    for (const char *c = text; *c; c++) {
        commas += *c == ',';
    }
    HOLDS(count == commas + 1, "%zu parts: %s", count, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); // a byte beyond its end is found
    HOLDS(text, "memory");
    memcpy(text, data, size);
    text[size] = 0;
    draw_begin(data, size);
    poison(0xaa);
    const size_t length = strlen(text);
    check_text(text);
    check_command_line(text, length);
    check_split(text);
    double value;
    fuzz_accepted = text_real(text, &value);
    char *words[3];
    char *trimmed = text_trim(text);
    HOLDS(trimmed >= text && trimmed + strlen(trimmed) <= text + length, "trimmed");
    const size_t count = text_words(trimmed, words, 3);
    for (size_t i = 0; i < count && i < 3; i++) {
        HOLDS(*words[i] && !strpbrk(words[i], " \t\r\v\f"), "word %zu: %s", i, words[i]);
    }
    free(text);
    return 0;
}
