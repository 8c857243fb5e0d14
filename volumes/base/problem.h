// What went wrong, for the person at the keyboard: one line and the exit code that goes with it.
//
// A function that can meet bad input returns bool and takes a `struct problem *`; on false the
// problem is filled, on true it is untouched. The line says what, where, what was expected and
// what to do. Our own mistakes are asserts, never problems.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// What kind of thing went wrong. Callers decide by it, so each says one thing. Only
// PROBLEM_DEVICE_MEMORY may be answered by trying the same with less.
enum problem_kind {
    PROBLEM_NONE,
    PROBLEM_INTERNAL,      // a fault of cubist itself
    PROBLEM_USAGE,         // wrong command line
    PROBLEM_INPUT,         // input missing, unreadable or malformed
    PROBLEM_OUTPUT,        // the output cannot be written
    PROBLEM_CHECK,         // a check failed
    PROBLEM_NO_DEVICE,     // no driver, no device, no display
    PROBLEM_HOST_MEMORY,   // the host has no memory (or disk, for what is kept there) for it
    PROBLEM_DEVICE_MEMORY, // the device, or the budget, has no room: in all, or in one piece
    PROBLEM_LIMIT,         // more than a limit that does not depend on memory
    PROBLEM_UNSUPPORTED,   // the device or driver cannot do this, or the method cannot
    PROBLEM_DEVICE_LOST,   // the device hangs or has failed
    PROBLEM_INTERRUPTED,
};

// The exit code of the program that goes with it (--help and the man page list them).
int problem_exit(enum problem_kind kind);

// Whether the cause is the device, memory or a limit: the kinds whose exit code is 4.
bool problem_of_device(enum problem_kind kind);

struct problem {
    enum problem_kind kind;
    char text[1000]; // one line, no newline, printable (see problem_set)
};

// Fills `problem` (which may be NULL) with a printf-style line; what is not printable in the result
// (terminal escapes in a file name, say) is escaped as volumes/base/printable.h has it. Returns
// false, so that a caller can `return problem_set(...)`.
bool problem_set(struct problem *problem, enum problem_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Says whether the file that is open as `fd` holds a copy of standard input. While it does, lines
// say 'standard input' instead of '/dev/fd/N'. There is one such file at a time.
void problem_standard_input(int fd, bool is);

// Formats one printable line. A line that does not fit keeps its start, and its end with the
// reason.
void problem_line(char *out, size_t size, const char *format, va_list list);
