// JSON for scripts: one object, built with jansson. Members keep the order in which they are added.
//
// `to` is an object, or an array; then `key` is NULL. The output is ASCII; other characters are
// escaped as usual in JSON. If a text is not UTF-8, as a file's name may be, each invalid byte
// becomes U+FFFD, and a second member KEY_bytes has all bytes as hexadecimal digits. Numbers read
// back as the same double (on a line they have 15 digits, so that rounded numbers look round).
// Numbers that are not finite become null. If memory runs out, json_finish reports it.
#pragma once

#include "volumes/base/problem.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

// Begin an object. json_finish, json_finish_line and json_text free it. json_begin_report adds
// "schema": 1, the first member of all output of --json.
json_t *json_begin(void);
json_t *json_begin_report(void);

// Like json_begin, with copies of all members of `other`; NULL: without members.
json_t *json_begin_from(const json_t *other);

// Prints the object, ends the line, and frees the object. The caller checks the stream (ferror).
bool json_finish(json_t *json, FILE *file, struct problem *problem);
bool json_finish_line(json_t *json, FILE *file, struct problem *problem); // all on one line

// Returns the object as text, malloc'ed, of *size bytes. Frees the object. NULL: out of memory.
char *json_text(json_t *json, bool line, size_t *size, struct problem *problem);

// Add an empty object or array, and return it for the caller to fill. `to` owns it.
json_t *json_add_object(json_t *to, const char *key);
json_t *json_add_array(json_t *to, const char *key);

void json_add_text(json_t *to, const char *key, const char *text); // NULL: null
void json_add_number(json_t *to, const char *key, double value);
void json_add_count(json_t *to, const char *key, uint64_t value);
void json_add_integer(json_t *to, const char *key, int64_t value);
void json_add_bool(json_t *to, const char *key, bool value);
void json_add_null(json_t *to, const char *key);
void json_add_numbers(json_t *to, const char *key, const double *values, size_t count);
void json_add_dims(json_t *to, const char *key, const uint32_t dims[3]);
