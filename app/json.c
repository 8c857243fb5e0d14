#include "app/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool starved; // something could not be added; not for several threads

// Takes `value` over. jansson checks for NULL, here and in what is added to it later.
static json_t *add(json_t *to, const char *key, json_t *value)
{
    const int refused =
        key ? json_object_set_new(to, key, value) : json_array_append_new(to, value);
    starved |= refused != 0;
    return refused ? NULL : value;
}

// Length of the UTF-8 sequence at `text`, 0 where there is none.
static size_t utf8(const char *text)
{
    const size_t most = strnlen(text, 4);
    for (size_t length = 1; length <= most; length++) {
        json_t *string = json_stringn(text, length);
        json_decref(string);
        if (string) {
            return length;
        }
    }
    return 0;
}

static json_t *string_of(const char *text)
{
    json_t *string = json_string(text);
    char *copy = string ? NULL : strdup(text);
    if (!copy) {
        return string;
    }
    for (char *at = copy; *at;) {
        const size_t length = utf8(at);
        if (length == 0) {
            *at = '?';
        }
        at += length ? length : 1;
    }
    string = json_string(copy);
    free(copy);
    return string;
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

static bool finish(json_t *json, FILE *file, size_t form, struct problem *problem)
{
    bool fine = !starved;
    if (fine) {
        fine = json_dumpf(json, file, form) == 0 || ferror(file);
        putc('\n', file);
    }
    json_decref(json);
    return fine || problem_set(problem, PROBLEM_DEVICE, "out of memory for a report in JSON");
}

bool json_finish(json_t *json, FILE *file, struct problem *problem)
{
    return finish(json, file, JSON_INDENT(2) | JSON_REAL_PRECISION(17), problem);
}

bool json_finish_line(json_t *json, FILE *file, struct problem *problem)
{
    return finish(json, file, JSON_REAL_PRECISION(15), problem);
}

json_t *json_add_object(json_t *to, const char *key)
{
    return add(to, key, json_object());
}

json_t *json_add_array(json_t *to, const char *key)
{
    return add(to, key, json_array());
}

void json_add_text(json_t *to, const char *key, const char *text)
{
    add(to, key, text ? string_of(text) : json_null());
}

void json_add_number(json_t *to, const char *key, double value)
{
    add(to, key, isfinite(value) ? json_real(value) : json_null());
}

void json_add_count(json_t *to, const char *key, uint64_t value)
{
    const bool whole = value <= INT64_MAX; // what jansson's integers hold
    add(to, key, whole ? json_integer((json_int_t)value) : json_real((double)value));
}

void json_add_integer(json_t *to, const char *key, int64_t value)
{
    add(to, key, json_integer((json_int_t)value));
}

void json_add_bool(json_t *to, const char *key, bool value)
{
    add(to, key, json_boolean(value));
}

void json_add_null(json_t *to, const char *key)
{
    add(to, key, json_null());
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
