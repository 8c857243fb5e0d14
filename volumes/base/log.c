#include "volumes/base/log.h"

#include "volumes/base/input.h"
#include "volumes/base/problem.h"

#include <stdio.h>

bool log_quiet;

static void log_line(const char *kind, const char *format, va_list list)
{
    char text[1000], whole[1100];
    if (!log_quiet) {
        problem_line(text, sizeof text, format, list);
        snprintf(whole, sizeof whole, "cubist: %s: %s\n", kind, text);
        if (!input_holds(whole)) {
            fputs(whole, stderr);
        }
    }
}

void log_warn(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    log_line("warning", format, list);
    va_end(list);
}

void log_note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    log_line("note", format, list);
    va_end(list);
}
