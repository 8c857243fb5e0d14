// Text from outside (a file's name, a field of a header, an argument) as a terminal or a window
// shows it. Characters that would control a terminal or be invisible are escaped:
//   \x1b    a control character below U+0080, or a byte that is not part of well-formed UTF-8
//   \u202e  a character from U+0080 on that turns the direction of text, has no width, ends a
//           line, or is a control character; \U000e0041 where it is beyond U+FFFF
// Everything else stays unchanged, backslashes too, so that ordinary names look ordinary. With
// --json, programs get names without loss (see app/base/json.h).
#pragma once

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// The number of bytes in the well-formed UTF-8 sequence at the start of `text`; 0 where there is
// none. Never looks beyond the end of the string.
size_t utf8_length(const char *text);

// Writes the shown form of the character at `text` into `out`: up to 10 bytes, then a zero. `text`
// must not be empty. Returns how many bytes of `text` the character has.
size_t printable_next(const char *text, char out[16]);

// Writes the whole text. If it does not fit: its start, " ... " and its end. `size` at least 32.
void printable_copy(const char *text, char *out, size_t size);

void printable_put(const char *text, FILE *file);

#ifdef __cplusplus
}
#endif
