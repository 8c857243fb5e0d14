// A file of JSON that a person may have edited: one object. What is wrong with it is said with its
// line.
#pragma once

#include "app/base/json.h"

#include <stddef.h>

struct json_file {
    char name[500]; // for messages: "session 'head.cubist.json'"
    char *text;     // as in the file; lines are counted in it
    size_t size;
    json_t *json; // an object
};

// Reads the file. PROBLEM_INPUT, with line and column, where it is not one object without a name
// that is there twice, or is larger than 1 MiB. `kind` is what the file is, such as "session". On
// false nothing is open.
bool json_file_open(
    const char *kind, const char *path, struct json_file *out, struct problem *problem);

// The same for bytes, which are copied. `path` only names them.
bool json_file_parse(
    const char *kind, const char *path, const void *bytes, size_t size, struct json_file *out,
    struct problem *problem);

void json_file_close(struct json_file *file); // it may be zeroed

// The place of a member, for messages: "session 'a.json', line 3, options.look". `inner` is a
// member of the object `outer`, or NULL.
#define JSON_FILE_PLACE 700
const char *json_file_place(
    const struct json_file *file, const char *outer, const char *inner, char out[JSON_FILE_PLACE]);

// The object of this name; NULL where there is none. False, with PROBLEM_INPUT, where the member is
// something else.
bool json_file_object(
    const struct json_file *file, const char *name, json_t **out, struct problem *problem);
