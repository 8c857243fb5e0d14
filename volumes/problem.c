#include "volumes/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Length of the well-formed UTF-8 sequence at `s` that shows something, 0 where there is none.
static size_t printable(const unsigned char *s)
{
    if (s[0] >= 0x20 && s[0] < 0x7f) {
        return 1;
    }
    const size_t length = s[0] >= 0xc2 && s[0] < 0xe0   ? 2
                          : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                          : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                        : 0;
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    // U+0080..U+009F are terminal controls too.
    return length == 2 && s[0] == 0xc2 && s[1] < 0xa0 ? 0 : length;
}

bool problem_set(struct problem *problem, enum problem_code code, const char *format, ...)
{
    if (!problem) {
        return false;
    }
    char text[sizeof problem->text];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    problem->code = code;
    size_t at = 0;
    while (text[at]) {
        const size_t length = printable((const unsigned char *)text + at);
        if (length == 0) {
            problem->text[at] = '?';
            at++;
        } else {
            memcpy(problem->text + at, text + at, length);
            at += length;
        }
    }
    problem->text[at] = 0;
    return false;
}
