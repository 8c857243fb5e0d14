#include "volumes/base/problem.h"

#include "volumes/base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Takes over the allocated `text`. Returns it with standard input's path replaced by its name.
static char *problem_name_standard_input(char *text)
{
    char *from = text;
    for (char *at; (at = strstr(from, "'" PROBLEM_STANDARD_INPUT));) {
        const size_t name = sizeof PROBLEM_STANDARD_INPUT, digits = strspn(at + name, "0123456789");
        const size_t done = (size_t)(at - text);
        char *named;
        from = at + name + digits;
        if (*from != '\'') {
            continue;
        }
        if (asprintf(&named, "%.*s'standard input%s", (int)done, text, from) < 0) {
            break;
        }
        free(text);
        text = named;
        from = text + done + 1;
    }
    return text;
}

void problem_line(char *out, size_t size, const char *format, va_list list)
{
    char *whole = NULL, start[1000];
    va_list again;
    va_copy(again, list);
    if (vasprintf(&whole, format, list) < 0) {
        whole = NULL; // no memory: only the start of the line is printed
        vsnprintf(start, size < sizeof start ? size : sizeof start, format, again);
    }
    va_end(again);
    whole = whole ? problem_name_standard_input(whole) : NULL;
    printable_copy(whole ? whole : start, out, size);
    free(whole);
}

bool problem_set(struct problem *problem, enum problem_kind kind, const char *format, ...)
{
    if (problem) {
        va_list list;
        va_start(list, format);
        problem_line(problem->text, sizeof problem->text, format, list);
        va_end(list);
        problem->kind = kind;
        problem->remedy = REMEDY_NONE;
    }
    return false;
}

bool problem_offer(struct problem *problem, enum problem_remedy remedy)
{
    if (problem) {
        problem->remedy = remedy;
    }
    return false;
}

bool problem_no_memory(struct problem *problem, const char *doing, const char *path)
{
    return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory %s '%s'", doing, path);
}

int problem_exit(enum problem_kind kind)
{
    static const int codes[] = {
        [PROBLEM_INTERNAL] = 1,      [PROBLEM_USAGE] = 2, [PROBLEM_INPUT] = 3,
        [PROBLEM_OUTPUT] = 5,        [PROBLEM_CHECK] = 6,
        [PROBLEM_INTERRUPTED] = 130, // the exit code of a shell after SIGINT
        [PROBLEM_NO_READER] = 141,   // the exit code of a shell after SIGPIPE
    };
    return kind == PROBLEM_NONE || codes[kind] ? codes[kind] : 4;
}

bool problem_of_device(enum problem_kind kind)
{
    return problem_exit(kind) == 4;
}

bool problem_of_size(enum problem_kind kind)
{
    return kind == PROBLEM_DEVICE_MEMORY || kind == PROBLEM_LIMIT;
}
