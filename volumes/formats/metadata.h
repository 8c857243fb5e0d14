// The JSON files of Zarr and N5 stores, by jansson. Every number is read as a real.
#pragma once

#include "volumes/formats/source.h"

#include <jansson.h>

// Reads the file `name` below the folder, by the rules of sidecar.h; json_decref it. NULL without a
// problem (`problem->kind` stays) where there is no such file; otherwise PROBLEM_INPUT. Where
// `watched` is not NULL, the file is added to it.
json_t *metadata_read(
    const char *folder, const char *name, struct source_files *watched, struct problem *problem);

// Each returns false if the value is of another kind, or NULL.
bool metadata_count(const json_t *value, uint64_t *out);                // a whole number below 2^53
bool metadata_counts(const json_t *value, uint64_t *out, size_t count); // an array of so many
bool metadata_reals(const json_t *value, double *out, size_t count);

// The text, or the text of a member; "": it is none.
const char *metadata_text(const json_t *value);
const char *metadata_member(const json_t *object, const char *key);
