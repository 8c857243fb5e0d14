#include "app/base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool number_parse(const char *text, size_t length, double *out)
{
    char copy[64];
    if (length == 0 || length >= sizeof copy || strspn(text, "+-.0123456789eE") < length) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    char *end;
    const double value = strtod(copy, &end);
    if (end == copy || *end || !isfinite(value)) {
        return false;
    }
    *out = value;
    return true;
}

enum whole whole_parse(const char *text, size_t length, uint64_t most, uint64_t *out)
{
    const bool negative = length > 1 && text[0] == '-';
    uint64_t value = 0;
    bool large = false;
    for (size_t i = negative; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return WHOLE_NOT_A_NUMBER;
        }
        const uint64_t digit = (uint64_t)(text[i] - '0');
        large = large || value > (most - digit) / 10 || digit > most;
        value = large ? 0 : 10 * value + digit;
    }
    if (length == 0) {
        return WHOLE_NOT_A_NUMBER;
    }
    if (negative) {
        return WHOLE_NEGATIVE;
    }
    if (large) {
        return WHOLE_TOO_LARGE;
    }
    *out = value;
    return WHOLE_OK;
}

size_t split(const char *text, char separator, size_t most, const char **starts, size_t *lengths)
{
    size_t count = 0;
    for (;;) {
        const char *end = strchrnul(text, separator);
        if (count < most) {
            starts[count] = text;
            lengths[count] = (size_t)(end - text);
        }
        count++;
        if (!*end) {
            return count;
        }
        text = end + 1;
    }
}

const char *number_text(double value, char text[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return text;
}

const char *number_float_text(float value, char text[32])
{
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, 32, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) {
            break;
        }
    }
    return text;
}

const char *number_thousands(uint64_t value, char out[32])
{
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%" PRIu64, value);
    int at = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0) {
            out[at++] = ',';
        }
        out[at++] = digits[i];
    }
    out[at] = 0;
    return out;
}
