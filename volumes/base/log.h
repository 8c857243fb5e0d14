// Warnings and notes for the person at the keyboard, on standard error.
#pragma once

#include <stdbool.h>

// Prints one line "cubist: warning: ..." to stderr, escaped as in printable.h. While an input is
// read (input.h) the line is held back. It is dropped if the input is refused.
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Does what log_warn does, with "note" in place of "warning".
void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// true: neither warnings nor notes are printed. Set once, when the program starts.
extern bool log_quiet;
