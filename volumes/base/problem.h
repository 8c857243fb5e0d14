// What went wrong, for the person at the keyboard: one line and the exit code that goes with it.
//
// A function that can meet bad input returns bool and takes a `struct problem *`; on false the
// problem is filled, on true it is untouched. The line says what, where, what was expected and
// what to do. Our own mistakes are asserts, never problems.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// The exit codes of the program (documented in README.md and by --help).
enum problem_code {
    PROBLEM_NONE = 0,
    PROBLEM_INTERNAL = 1,    // a fault of cubist itself
    PROBLEM_USAGE = 2,       // wrong command line
    PROBLEM_INPUT = 3,       // input missing, unreadable or malformed
    PROBLEM_DEVICE = 4,      // no usable device, out of memory, or over a limit
    PROBLEM_OUTPUT = 5,      // the output cannot be written
    PROBLEM_CHECK = 6,       // a check failed
    PROBLEM_CANCELLED = 130, // interrupted
};

struct problem {
    enum problem_code code;
    char text[1000]; // one line, no newline, printable (see problem_set)
};

// Fills `problem` (which may be NULL) with a printf-style line; what is not printable in the result
// (terminal escapes in a file name, say) is escaped as volumes/base/printable.h has it. Returns
// false, so that a caller can `return problem_set(...)`.
bool problem_set(struct problem *problem, enum problem_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Whether the file that is open as `fd` keeps standard input: while it does, lines say
// 'standard input' where they would say '/dev/fd/N'. There is one such file at a time.
void problem_standard_input(int fd, bool is);

// Formats one printable line. One that does not fit keeps its start and its end, where the reason
// stands.
void problem_line(char *out, size_t size, const char *format, va_list list);
