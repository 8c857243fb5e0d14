// Text from outside (a file's name, a field of a header, an argument) as people may see it, in a
// terminal or a window. What would act on a terminal or hide is written as an escape:
//   \x1b    a control character below U+0080, or a byte that is not part of well-formed UTF-8
//   \u202e  a character from U+0080 on that turns the direction of text, has no width, ends a
//           line, or is a control character; \U000e0041 where it is beyond U+FFFF
// All else stays as it is, backslashes too, so that ordinary names look ordinary. Programs get
// names without loss from --json (see app/base/json.h).
#pragma once

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// Bytes of the well-formed UTF-8 sequence that `text` starts with; 0 where it starts with none.
// Never looks beyond the end of the string.
size_t utf8_length(const char *text);

// What is shown for the character at `text` (not its end): put into `out` with its end, up to 10
// bytes. Returns how many bytes of `text` it stands for.
size_t printable_next(const char *text, char out[16]);

// The whole text; where it does not fit, its start, " ... " and its end. `size` at least 32.
void printable_copy(const char *text, char *out, size_t size);

void printable_put(const char *text, FILE *file);

#ifdef __cplusplus
}
#endif
