#include "volumes/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

// Copies `text` with every byte that is not part of something printable replaced; same length.
static void clean(const char *text, char *out)
{
    size_t at = 0;
    while (text[at]) {
        const size_t length = printable((const unsigned char *)text + at);
        memcpy(out + at, length ? text + at : "?", length ? length : 1);
        at += length ? length : 1;
    }
    out[at] = 0;
}

// Formats one printable line. One that does not fit keeps its start and its end, where the reason
// stands.
static void line(char *out, size_t size, const char *format, va_list list)
{
    char *whole = NULL, start[1000];
    va_list again;
    va_copy(again, list);
    if (vasprintf(&whole, format, list) < 0) {
        whole = NULL; // no memory: the start has to do
        vsnprintf(start, size < sizeof start ? size : sizeof start, format, again);
    }
    va_end(again);
    char *text = whole ? whole : start;
    const size_t length = strlen(text);
    if (length >= size) {
        const size_t tail = size / 2;
        memmove(text + size - 1 - tail, text + length - tail, tail + 1);
        memcpy(text + size - 1 - tail - 5, " ... ", 5);
    }
    clean(text, out);
    free(whole);
}

bool problem_set(struct problem *problem, enum problem_code code, const char *format, ...)
{
    if (problem) {
        va_list list;
        va_start(list, format);
        line(problem->text, sizeof problem->text, format, list);
        va_end(list);
        problem->code = code;
    }
    return false;
}

bool volume_quiet;

static void say(const char *kind, const char *format, va_list list)
{
    char text[1000];
    if (!volume_quiet) {
        line(text, sizeof text, format, list);
        fprintf(stderr, "cubist: %s: %s\n", kind, text);
    }
}

void volume_warn(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say("warning", format, list);
    va_end(list);
}

void volume_note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say("note", format, list);
    va_end(list);
}
