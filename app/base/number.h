// Numbers as people type them. The whole text must be a number, whatever the locale.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decimal notation with an optional exponent; no blanks, no hex, no "inf" or "nan", no "0,5". Also
// false where the value is too large to be finite.
bool number_parse(const char *text, size_t length, double *out);

enum whole { WHOLE_OK, WHOLE_NOT_A_NUMBER, WHOLE_NEGATIVE, WHOLE_TOO_LARGE };

// Accepts only decimal digits. WHOLE_TOO_LARGE: the number is above `most`.
enum whole whole_parse(const char *text, size_t length, uint64_t most, uint64_t *out);

// Splits `text` at each `separator`. Stores the starts and lengths of the first `most` parts.
// Returns the number of all parts, which may be more than `most`.
size_t split(const char *text, char separator, size_t most, const char **starts, size_t *lengths);

// The shortest decimal notation that reads back as the same double.
const char *number_text(double value, char text[32]);
const char *number_float_text(float value, char text[32]); // the same of a float

// 1234567 -> "1,234,567"
const char *number_thousands(uint64_t value, char out[32]);
