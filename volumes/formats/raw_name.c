// Reads the name from its end to its start and removes one suffix after another.
#include "volumes/formats/raw_name.h"

#include "volumes/formats/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool raw_name_is_separator(char c)
{
    return c == '_' || c == '.' || c == '-';
}

// Whether the text ends in `suffix` at `*end`. If so, removes it.
static bool raw_name_take_suffix(const char *text, size_t *end, const char *suffix)
{
    const size_t length = strlen(suffix);
    if (*end < length || strncasecmp(text + *end - length, suffix, length) != 0) {
        return false;
    }
    *end -= length;
    return true;
}

// The word after the last separator before `end`; false where there is no separator or the word is
// too long.
static bool raw_name_last_word(const char *text, size_t end, char *word, size_t size, size_t *start)
{
    size_t at = end;
    while (at > 0 && !raw_name_is_separator(text[at - 1])) {
        at--;
    }
    if (at == 0 || end - at >= size) {
        return false;
    }
    for (size_t i = at; i < end; i++) {
        word[i - at] = (char)tolower((unsigned char)text[i]);
    }
    word[end - at] = 0;
    *start = at;
    return true;
}

// Reads a number that ends at `*end`; false where there is none.
static bool raw_name_take_number(const char *text, size_t *end, uint64_t *out)
{
    size_t start = *end;
    while (start > 0 && isdigit((unsigned char)text[start - 1])) {
        start--;
    }
    if (start == *end) {
        return false;
    }
    uint64_t value = 0;
    for (size_t i = start; i < *end; i++) {
        if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value)) {
            value = UINT64_MAX;
            break;
        }
    }
    *out = value;
    *end = start;
    return true;
}

void raw_name_parse(const char *path, struct raw_name *out)
{
    const char *text = basename(path);
    size_t end = strlen(text);
    *out = (struct raw_name){ 0 };
    out->gzip = raw_name_take_suffix(text, &end, ".gz");
    out->raw = raw_name_take_suffix(text, &end, ".raw");
    if (!out->raw) {
        return;
    }
    struct raw_name found = *out;
    char word[16];
    size_t start;
    if (raw_name_last_word(text, end, word, sizeof word, &start) && text_is_one(word, "le|be")) {
        found.order = word[0] == 'l' ? BYTE_ORDER_LITTLE : BYTE_ORDER_BIG;
        end = start - 1;
    }
    if (raw_name_last_word(text, end, word, sizeof word, &start)) {
        if (volume_type_parse(word, &found.type)) {
            found.has_type = true;
            end = start - 1;
        } else if (text_is_one(word, "int64|uint64|float16")) {
            snprintf(found.foreign_type, sizeof found.foreign_type, "%s", word);
            end = start - 1;
        }
    }
    for (int i = 2; i >= 0; i--) {
        if (!raw_name_take_number(text, &end, &found.dim[i])) {
            return;
        }
        if (i > 0 && (end == 0 || tolower((unsigned char)text[--end]) != 'x')) {
            return;
        }
    }
    if (end > 0 && !raw_name_is_separator(text[end - 1])) {
        return; // four numbers, or a number with letters before it
    }
    found.has_dim = true;
    *out = found;
}
