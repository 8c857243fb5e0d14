#include "app/json.h"

#include "app/number.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

// Length of the well-formed UTF-8 sequence at `s`, 0 where there is none.
static size_t utf8(const unsigned char *s)
{
    if (s[0] < 0x80) {
        return 1;
    }
    const size_t length = s[0] >= 0xc2 && s[0] < 0xe0   ? 2
                          : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                          : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                        : 0;
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
    const bool wrong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) ||
                       (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90);
    return wrong ? 0 : length;
}

static void quote(FILE *file, const char *text)
{
    putc('"', file);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const size_t length = utf8(s);
        if (length == 0) {
            putc('?', file);
        } else if (*s == '"' || *s == '\\') {
            fprintf(file, "\\%c", *s);
        } else if (*s < 0x20 || *s == 0x7f) {
            fprintf(file, "\\u%04x", *s);
        } else {
            fwrite(s, 1, length, file);
        }
        s += length ? length : 1;
    }
    putc('"', file);
}

// What stands before a value: comma, new line, key.
static void lead(struct json *json, const char *key)
{
    const int depth = json->depth;
    if (depth > 0) {
        fputs(json->begun[depth - 1] ? "," : "", json->file);
        if (!json->flat[depth - 1]) {
            fprintf(json->file, "\n%*s", 2 * depth, "");
        } else if (json->begun[depth - 1]) {
            putc(' ', json->file);
        }
        json->begun[depth - 1] = true;
    }
    if (key) {
        quote(json->file, key);
        fputs(": ", json->file);
    }
}

static void open(struct json *json, const char *key, char opening, char closing, bool flat)
{
    lead(json, key);
    assert(json->depth < JSON_DEPTH);
    putc(opening, json->file);
    json->begun[json->depth] = false;
    json->close[json->depth] = closing;
    json->flat[json->depth] = flat;
    json->depth++;
}

void json_begin(struct json *json, FILE *file)
{
    *json = (struct json){ .file = file };
    open(json, NULL, '{', '}', false);
    json_count(json, "schema", 1);
}

void json_finish(struct json *json)
{
    json_end(json);
    assert(json->depth == 0);
    putc('\n', json->file);
}

void json_object(struct json *json, const char *key)
{
    open(json, key, '{', '}', false);
}

void json_array(struct json *json, const char *key)
{
    open(json, key, '[', ']', false);
}

void json_flat_array(struct json *json, const char *key)
{
    open(json, key, '[', ']', true);
}

void json_end(struct json *json)
{
    const int depth = --json->depth;
    if (json->begun[depth] && !json->flat[depth]) {
        fprintf(json->file, "\n%*s", 2 * depth, "");
    }
    putc(json->close[depth], json->file);
}

void json_text(struct json *json, const char *key, const char *text)
{
    if (!text) {
        json_null(json, key);
        return;
    }
    lead(json, key);
    quote(json->file, text);
}

void json_number(struct json *json, const char *key, double value)
{
    if (!isfinite(value)) {
        json_null(json, key);
        return;
    }
    char text[32];
    lead(json, key);
    fputs(number_text(value, text), json->file);
}

void json_count(struct json *json, const char *key, uint64_t value)
{
    lead(json, key);
    fprintf(json->file, "%" PRIu64, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
    lead(json, key);
    fputs(value ? "true" : "false", json->file);
}

void json_null(struct json *json, const char *key)
{
    lead(json, key);
    fputs("null", json->file);
}
