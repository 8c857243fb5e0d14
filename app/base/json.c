#include "app/base/json.h"

#include "volumes/base/printable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool starved; // a value could not be added; only one thread may write JSON

// Takes ownership of `value`. jansson accepts NULL for `value` and for `to`.
static json_t *json_add_value(json_t *to, const char *key, json_t *value)
{
    const int refused =
        key ? json_object_set_new(to, key, value) : json_array_append_new(to, value);
    starved |= refused != 0;
    return refused ? NULL : value;
}

// Each byte that is not UTF-8 becomes U+FFFD. *exact: there was no such byte.
static json_t *json_string_of(const char *text, bool *exact)
{
    static const char unknown[] = "\xef\xbf\xbd";
    char *copy = malloc(3 * strlen(text) + 1);
    if (!copy) {
        return NULL;
    }
    size_t size = 0;
    *exact = true;
    while (*text) {
        const size_t length = utf8_length(text);
        *exact &= length > 0;
        memcpy(copy + size, length ? text : unknown, length ? length : 3);
        size += length ? length : 3;
        text += length ? length : 1;
    }
    json_t *string = json_stringn(copy, size);
    free(copy);
    return string;
}

// Adds the member KEY_bytes.
static void json_add_bytes(json_t *to, const char *key, const char *text)
{
    char name[64];
    const size_t length = strlen(text);
    char *digits = malloc(2 * length + 1);
    snprintf(name, sizeof name, "%s_bytes", key);
    for (size_t i = 0; digits && i < length; i++) {
        snprintf(digits + 2 * i, 3, "%02x", (unsigned char)text[i]);
    }
    json_add_value(to, name, digits ? json_stringn(digits, 2 * length) : NULL);
    free(digits);
}

json_t *json_begin(void)
{
    starved = false;
    return json_object();
}

json_t *json_begin_report(void)
{
    json_t *json = json_begin();
    json_add_count(json, "schema", 1);
    return json;
}

json_t *json_begin_from(const json_t *other)
{
    starved = false;
    json_t *json = other ? json_deep_copy(other) : json_object();
    starved = !json;
    return json;
}

static int json_append(const char *bytes, size_t size, void *memory)
{
    const bool fine = fwrite(bytes, 1, size, memory) == size;
    starved |= !fine;
    return fine ? 0 : -1;
}

char *json_text(json_t *json, bool line, size_t *size, struct problem *problem)
{
    const size_t form = line ? JSON_REAL_PRECISION(15) : JSON_INDENT(2) | JSON_REAL_PRECISION(17);
    // json_dumps cannot be used: without memory it silently loses a key.
    char *text = NULL;
    FILE *memory = open_memstream(&text, size);
    bool fine = memory &&
                json_dump_callback(json, json_append, memory, form | JSON_ENSURE_ASCII) == 0 &&
                putc('\n', memory) != EOF && !starved;
    // If memory runs out, fclose may succeed although there is no text.
    fine = memory && fclose(memory) == 0 && fine && text;
    json_decref(json);
    if (!fine) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a report in JSON");
        free(text);
        text = NULL;
    }
    return text;
}

// The whole text is made before any is printed, because half a report is worse than none.
static bool json_print(json_t *json, FILE *file, bool line, struct problem *problem)
{
    size_t size;
    char *text = json_text(json, line, &size, problem);
    const bool fine = text;
    if (fine) {
        fwrite(text, 1, size, file);
    }
    free(text);
    return fine;
}

bool json_finish(json_t *json, FILE *file, struct problem *problem)
{
    return json_print(json, file, false, problem);
}

bool json_finish_line(json_t *json, FILE *file, struct problem *problem)
{
    return json_print(json, file, true, problem);
}

json_t *json_add_object(json_t *to, const char *key)
{
    return json_add_value(to, key, json_object());
}

json_t *json_add_array(json_t *to, const char *key)
{
    return json_add_value(to, key, json_array());
}

void json_add_text(json_t *to, const char *key, const char *text)
{
    bool exact = true;
    json_add_value(to, key, text ? json_string_of(text, &exact) : json_null());
    if (!exact && key) {
        json_add_bytes(to, key, text);
    }
}

void json_add_number(json_t *to, const char *key, double value)
{
    json_add_value(to, key, isfinite(value) ? json_real(value) : json_null());
}

void json_add_count(json_t *to, const char *key, uint64_t value)
{
    const bool whole = value <= INT64_MAX; // jansson has no larger integers
    json_add_value(to, key, whole ? json_integer((json_int_t)value) : json_real((double)value));
}

void json_add_integer(json_t *to, const char *key, int64_t value)
{
    json_add_value(to, key, json_integer((json_int_t)value));
}

void json_add_bool(json_t *to, const char *key, bool value)
{
    json_add_value(to, key, json_boolean(value));
}

void json_add_null(json_t *to, const char *key)
{
    json_add_value(to, key, json_null());
}

void json_add_numbers(json_t *to, const char *key, const double *values, size_t count)
{
    json_t *array = json_add_array(to, key);
    for (size_t i = 0; i < count; i++) {
        json_add_number(array, NULL, values[i]);
    }
}

void json_add_dims(json_t *to, const char *key, const uint32_t dims[3])
{
    json_t *array = json_add_array(to, key);
    for (int axis = 0; axis < 3; axis++) {
        json_add_count(array, NULL, dims[axis]);
    }
}
