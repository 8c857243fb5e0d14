#include "volumes/base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// The code point of the UTF-8 sequence of `length` bytes.
static uint32_t printable_decode(const unsigned char *s, size_t length)
{
    static const unsigned char first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    uint32_t code = s[0] & first[length];
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | (s[i] & 0x3f);
    }
    return code;
}

size_t utf8_length(const char *text)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *s = (const unsigned char *)text;
    const size_t length = s[0] == 0     ? 0
                          : s[0] < 0x80 ? 1
                          : s[0] < 0xc0 ? 0
                          : s[0] < 0xe0 ? 2
                          : s[0] < 0xf0 ? 3
                          : s[0] < 0xf8 ? 4
                                        : 0;
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    const uint32_t code = length ? printable_decode(s, length) : 0;
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[length] || surrogate || code > 0x10ffff ? 0 : length;
}

// Whether to escape the character: controls, line separators, Unicode's format characters (some
// turn the direction of text), default ignorable (invisible) characters, and noncharacters.
static bool printable_is_hidden(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        // ascending
        { 0x0000, 0x001f },   { 0x007f, 0x009f },   { 0x00ad, 0x00ad },   { 0x034f, 0x034f },
        { 0x0600, 0x0605 },   { 0x061c, 0x061c },   { 0x06dd, 0x06dd },   { 0x070f, 0x070f },
        { 0x0890, 0x0891 },   { 0x08e2, 0x08e2 },   { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 },
        { 0x180b, 0x180f },   { 0x200b, 0x200f },   { 0x2028, 0x202e },   { 0x2060, 0x206f },
        { 0x3164, 0x3164 },   { 0xfdd0, 0xfdef },   { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },
        { 0xffa0, 0xffa0 },   { 0xfff0, 0xfffb },   { 0x110bd, 0x110bd }, { 0x110cd, 0x110cd },
        { 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
    };
    if ((code & 0xfffe) == 0xfffe) {
        return true;
    }
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && code >= ranges[i][0]; i++) {
        if (code <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

size_t printable_next(const char *text, char out[16])
{
    const size_t length = utf8_length(text);
    const unsigned char *s = (const unsigned char *)text;
    const uint32_t code = length ? printable_decode(s, length) : s[0];
    if (length == 0 || (length == 1 && printable_is_hidden(code))) {
        snprintf(out, 16, "\\x%02x", code);
    } else if (printable_is_hidden(code)) {
        snprintf(out, 16, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
    } else {
        memcpy(out, text, length);
        out[length] = 0;
    }
    return length ? length : 1;
}

void printable_put(const char *text, FILE *file)
{
    char shown[16];
    while (*text) {
        text += printable_next(text, shown);
        fputs(shown, file);
    }
}

static size_t printable_shown_length(const char *text)
{
    char shown[16];
    size_t length = 0;
    while (*text) {
        text += printable_next(text, shown);
        length += strlen(shown);
    }
    return length;
}

void printable_copy(const char *text, char *out, size_t size)
{
    static const char gap[] = " ... ";
    const size_t all = printable_shown_length(text), half = (size - sizeof gap) / 2;
    const bool fits = all < size;
    bool cut = false;
    char shown[16];
    for (size_t at = 0; *text; at += strlen(shown)) {
        text += printable_next(text, shown);
        const bool stays = fits || at + strlen(shown) <= half || at >= all - half;
        if (stays || !cut) {
            out = stpcpy(out, stays ? shown : gap);
        }
        cut |= !stays;
    }
    *out = 0;
}
