// JSON for people's scripts: one object, built with jansson, members in the order they are added.
//
// `to` is an object, or an array with `key` NULL. All is ASCII: other characters are escaped as
// JSON has it. A text that is not UTF-8 (a file's name may be anything) has U+FFFD for each byte
// that is not, and a member KEY_bytes beside it has all its bytes as hexadecimal digits. Numbers
// read back as the same double (on a line: to 15 digits, so that rounded ones look it), those that
// are not finite are null. Where memory runs out json_finish says so.
#pragma once

#include "volumes/base/problem.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

// An object for json_finish or json_finish_line to free. What --json prints begins with
// "schema": 1.
json_t *json_begin(void);
json_t *json_begin_report(void);

// Prints the object, ends the line, and frees it. Errors of the stream stay in it (ferror).
bool json_finish(json_t *json, FILE *file, struct problem *problem);
bool json_finish_line(json_t *json, FILE *file, struct problem *problem); // all on one line

// Owned by `to`, to be filled.
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
