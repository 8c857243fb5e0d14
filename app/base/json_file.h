// A JSON file with one object. A person may have edited it, so messages about an error name the
// line.
#pragma once

#include "app/base/json.h"

#include <stddef.h>

struct json_file {
    char name[500]; // for messages: "session 'head.cubist.json'"
    char *text;     // of the file, to count lines in
    size_t size;
    json_t *json; // the object
};

// Reads the file. PROBLEM_INPUT where it is larger than 1 MiB, is not a single JSON object, or
// repeats a name. Messages about wrong JSON have line and column. `kind` says what the file is,
// such as "session". On false nothing is open.
bool json_file_open(
    const char *kind, const char *path, struct json_file *out, struct problem *problem);

// Like json_file_open, for bytes in memory, which are copied. `path` only names them in messages.
bool json_file_parse(
    const char *kind, const char *path, const void *bytes, size_t size, struct json_file *out,
    struct problem *problem);

void json_file_close(struct json_file *file); // accepts a zeroed struct

// Writes the position of a member, for messages: "session 'a.json', line 3, options.look". `inner`
// is a member of the object `outer`, or NULL.
#define JSON_FILE_PLACE 700
const char *json_file_place(
    const struct json_file *file, const char *outer, const char *inner, char out[JSON_FILE_PLACE]);

// Sets *out to the member `name`, an object; NULL where there is no such member. False with
// PROBLEM_INPUT where the member is no object.
bool json_file_object(
    const struct json_file *file, const char *name, json_t **out, struct problem *problem);
