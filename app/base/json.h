// JSON for scripts: one object, built with jansson. Members keep the order in which they are added.
//
// `to` is an object, or an array with `key` NULL. The output is ASCII; other characters are escaped
// as usual in JSON. In a text that is not UTF-8 (a file's name may be anything) each invalid byte
// becomes U+FFFD, and a member KEY_bytes beside it has all bytes as hexadecimal digits. Numbers
// read back as the same double (on a line they have 15 digits, so that rounded numbers look round).
// Numbers that are not finite become null. If memory runs out, json_finish reports it.
#pragma once

#include "volumes/base/problem.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

// An object to pass to json_finish, json_finish_line or json_text, which free it. json_begin_report
// adds "schema": 1, with which the output of --json begins.
json_t *json_begin(void);
json_t *json_begin_report(void);

// The same, with copies of all members of another object, or of none if it is NULL.
json_t *json_begin_from(const json_t *other);

// Prints the object, ends the line, and frees the object. The caller checks the stream (ferror).
bool json_finish(json_t *json, FILE *file, struct problem *problem);
bool json_finish_line(json_t *json, FILE *file, struct problem *problem); // all on one line

// The same text, malloc'ed, of *size bytes. Frees the object. NULL: out of memory.
char *json_text(json_t *json, bool line, size_t *size, struct problem *problem);

// Owned by `to`. The caller fills it.
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
