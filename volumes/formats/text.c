#include "volumes/formats/text.h"

#include "volumes/base/input.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NUMBERS_MOST 100
#define LINE_MOST    4096
#define HEADER_MOST  ((uint64_t)1 << 20)

bool text_refuse(const struct text *text, struct problem *problem, const char *format, ...)
{
    char reason[800];
    va_list list;
    va_start(list, format);
    vsnprintf(reason, sizeof reason, format, list);
    va_end(list);
    return problem_set(
        problem, PROBLEM_INPUT, "'%s' line %u: %s", text->source->path, text->number, reason);
}

// The byte at `at` of the file; -1 at the end of the file.
static int text_byte_at(struct text *text, uint64_t at)
{
    if (at < text->window_at || at - text->window_at >= text->window_size) {
        text->window_at = at;
        text->window_size = source_peek_at(text->source, at, text->window, sizeof text->window);
        if (text->window_size == 0) {
            return -1;
        }
    }
    return (unsigned char)text->window[at - text->window_at];
}

bool text_next(struct text *text, bool *more, struct problem *problem)
{
    text->length = 0;
    text->number++;
    if (!input_go_on(text->source->path, problem)) {
        return false;
    }
    int byte = text_byte_at(text, text->next);
    *more = byte >= 0;
    for (; byte >= 0 && byte != '\n'; byte = text_byte_at(text, text->next)) {
        if (byte == 0) {
            return text_refuse(text, problem, "the header has a NUL byte; expected text");
        }
        if (text->length == LINE_MOST) {
            return text_refuse(text, problem, "longer than %d bytes", LINE_MOST);
        }
        text->line[text->length++] = (char)byte;
        text->next++;
    }
    text->next += byte == '\n';
    if (text->next - text->begin > HEADER_MOST) {
        return problem_set(
            problem, PROBLEM_LIMIT, "'%s': the header is larger than 1 MiB", text->source->path);
    }
    if (text->length > 0 && text->line[text->length - 1] == '\r') {
        text->length--;
    }
    text->line[text->length] = 0;
    return true;
}

static bool text_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

char *text_trim(char *s)
{
    while (text_is_blank(*s)) {
        s++;
    }
    size_t length = strlen(s);
    while (length > 0 && text_is_blank(s[length - 1])) {
        s[--length] = 0;
    }
    return s;
}

bool text_next_key(
    struct text *text, const char *comments, const char *form, char **key, char **value,
    struct problem *problem)
{
    bool more = true;
    while (more) {
        if (!text_next(text, &more, problem)) {
            return false;
        }
        *key = text_trim(text->line);
        if (!**key || strchr(comments, **key)) {
            continue;
        }
        *value = strchr(*key, ':');
        if (!*value) {
            return text_refuse(text, problem, "'%.60s' is not of the form '%s'", *key, form);
        }
        *(*value)++ = 0;
        *key = text_trim(*key);
        *value = text_trim(*value);
        return true;
    }
    *key = NULL;
    return true;
}

size_t text_words(char *s, char **words, size_t most)
{
    size_t count = 0;
    for (;;) {
        while (text_is_blank(*s)) {
            *s++ = 0;
        }
        if (!*s) {
            return count;
        }
        if (count < most) {
            words[count] = s;
        }
        count++;
        while (*s && !text_is_blank(*s)) {
            s++;
        }
    }
}

bool text_is_one(const char *word, const char *list)
{
    const size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strcspn(at, "|") == length && strncasecmp(at, word, length) == 0) {
            return true;
        }
    }
    return false;
}

char **text_field(const struct text_field *fields, void *header, const char *name)
{
    for (; fields->names; fields++) {
        if (text_is_one(name, fields->names)) {
            return (char **)((char *)header + fields->place);
        }
    }
    return NULL;
}

const char *text_field_missing(const struct text_field *fields, const void *header)
{
    while (fields->due && *(char *const *)((const char *)header + fields->place)) {
        fields++;
    }
    return fields->due ? fields->names : NULL;
}

void text_fields_free(const struct text_field *fields, void *header)
{
    for (; fields->names; fields++) {
        free(*(char **)((char *)header + fields->place));
    }
}

bool text_count(const char *s, uint64_t *out)
{
    uint64_t value = 0;
    bool large = false;
    s += *s == '+';
    if (!*s) {
        return false;
    }
    for (; *s; s++) {
        if (*s < '0' || *s > '9') {
            return false;
        }
        large |= __builtin_mul_overflow(value, 10, &value) ||
                 __builtin_add_overflow(value, (uint64_t)(*s - '0'), &value);
    }
    *out = large ? UINT64_MAX : value;
    return true;
}

bool text_whole(const char *s, int64_t *out)
{
    const bool negative = *s == '-';
    uint64_t value;
    if ((negative && s[1] == '+') || !text_count(s + negative, &value)) {
        return false;
    }
    if (value > INT64_MAX) {
        return false;
    }
    *out = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

bool text_real(const char *s, double *out)
{
    const char *digits = s + (*s == '+' || *s == '-');
    const bool word = strncasecmp(digits, "nan", 3) == 0 || strncasecmp(digits, "inf", 3) == 0;
    // Not hexadecimal, and not "nan(...)".
    if ((!word && !isdigit((unsigned char)digits[*digits == '.'])) || strpbrk(digits, "xXpP(")) {
        return false;
    }
    char *end;
    const double value = strtod(s, &end);
    if (end == s || *end) {
        return false;
    }
    *out = value;
    return true;
}

bool text_counts(char *s, uint64_t *out, size_t count)
{
    char *words[NUMBERS_MOST];
    bool fine = count <= NUMBERS_MOST && text_words(s, words, count) == count;
    for (size_t i = 0; fine && i < count; i++) {
        fine = text_count(words[i], &out[i]);
    }
    return fine;
}

bool text_reals(char *s, double *out, size_t count)
{
    char *words[NUMBERS_MOST];
    bool fine = count <= NUMBERS_MOST && text_words(s, words, count) == count;
    for (size_t i = 0; fine && i < count; i++) {
        fine = text_real(words[i], &out[i]);
    }
    return fine;
}
