// Writes one JSON object to a stream, member by member, in the order given.
//
// Strings that are not UTF-8 (a file's name may be anything) get '?' for each byte that does not
// fit; numbers are written so that they read back as the same double, those that are not finite as
// null. Errors of the stream stay in it (ferror).
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH 8

struct json {
    FILE *file;
    int depth;
    bool begun[JSON_DEPTH]; // something stands in the object or array at this depth already
    char close[JSON_DEPTH]; // what ends it
    bool flat[JSON_DEPTH];  // written on one line
};

// Opens the object and writes "schema": 1.
void json_begin(struct json *json, FILE *file);
// Closes it and ends the line.
void json_finish(struct json *json);

// `key` is NULL inside arrays.
void json_object(struct json *json, const char *key);
void json_array(struct json *json, const char *key);
void json_flat_array(struct json *json, const char *key); // on one line, for numbers
void json_end(struct json *json);

void json_text(struct json *json, const char *key, const char *text); // NULL: null
void json_number(struct json *json, const char *key, double value);
void json_count(struct json *json, const char *key, uint64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
