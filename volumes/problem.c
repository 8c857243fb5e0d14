#include "volumes/problem.h"

#include "volumes/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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
    printable_copy(whole ? whole : start, out, size);
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
