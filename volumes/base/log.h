// Warnings and notes for the person at the keyboard, on standard error.
#pragma once

#include <stdbool.h>

// Prints one line "cubist: warning: ..." to stderr, escaped as in printable.h; while an input is
// read (input.h), not before that has succeeded.
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The same with "note".
void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Set once at the start: neither warnings nor notes are printed.
extern bool log_quiet;
