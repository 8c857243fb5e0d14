// What went wrong, for the person at the keyboard: one line and the exit code for it.
//
// A function that can get bad input returns bool and takes a `struct problem *`. On false the
// problem is filled, on true it is untouched. The line says what, where, what was expected and what
// to do. Faults of cubist itself are asserts, never problems.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// The kind of problem. Callers decide by it, so each kind means one thing. Only after
// PROBLEM_DEVICE_MEMORY may the caller free something and try again. Something smaller may be tried
// after PROBLEM_LIMIT, too.
enum problem_kind {
    PROBLEM_NONE,
    PROBLEM_INTERNAL,      // a fault of cubist itself
    PROBLEM_USAGE,         // wrong command line
    PROBLEM_INPUT,         // input missing, unreadable or malformed
    PROBLEM_OUTPUT,        // the output cannot be written
    PROBLEM_CHECK,         // a check failed
    PROBLEM_NO_DEVICE,     // no driver, no device, no display
    PROBLEM_HOST_MEMORY,   // the host has too little memory (or disk, for temporary data)
    PROBLEM_DEVICE_MEMORY, // the device, or the budget, has too little free memory
    PROBLEM_LIMIT,         // more than a limit that does not depend on memory
    PROBLEM_UNSUPPORTED,   // the device or driver cannot do this, or the method cannot
    PROBLEM_DEVICE_LOST,   // the device hangs or has failed
    PROBLEM_INTERRUPTED,
    PROBLEM_NO_READER, // the reader of standard output has ended, as head does; nothing is printed
};

// The exit code of the program for this kind (--help and the man page list them).
int problem_exit(enum problem_kind kind);

// Whether the cause is the device, memory or a limit: the kinds whose exit code is 4.
bool problem_of_device(enum problem_kind kind);

// Whether something smaller may fit: the device is short of memory, or a limit is passed.
bool problem_of_size(enum problem_kind kind);

// What lets the program read an input that it has refused.
enum problem_remedy { REMEDY_NONE, REMEDY_GAPS, REMEDY_AXIS_INDEX }; // the option of this name

struct problem {
    enum problem_kind kind;
    enum problem_remedy remedy; // problem_set sets REMEDY_NONE
    char text[1000];            // one line, no newline, printable (see problem_set)
};

// Fills `problem` (which may be NULL) with a printf-style line. Characters that are not printable
// (terminal escapes in a file name, say) are escaped as in volumes/base/printable.h. Returns false,
// so that a caller can `return problem_set(...)`.
bool problem_set(struct problem *problem, enum problem_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Adds a remedy to a problem, which may be NULL. Returns false.
bool problem_offer(struct problem *problem, enum problem_remedy remedy);

// PROBLEM_HOST_MEMORY: "out of memory reading 'x.nrrd'", where `doing` is "reading".
bool problem_no_memory(struct problem *problem, const char *doing, const char *path);

// Standard input is copied into a file. The path of this open file is the prefix below and the
// file's descriptor; nobody else writes a path in this form. Messages say 'standard input' instead.
#define PROBLEM_STANDARD_INPUT "/dev/fd/./"

// Formats one printable line. A long line is cut in the middle, because its end has the reason.
void problem_line(char *out, size_t size, const char *format, va_list list);
