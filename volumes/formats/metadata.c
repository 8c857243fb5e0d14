#include "volumes/formats/metadata.h"

#include "volumes/formats/sidecar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METADATA_MOST ((uint64_t)16 << 20) // bytes of a file

// Whether an allocation of jansson failed. It may then say that the text is wrong, or leave out a
// byte of it without an error.
static _Thread_local bool metadata_short;

static void *metadata_alloc(size_t size)
{
    void *memory = malloc(size);
    metadata_short |= !memory;
    return memory;
}

// Reads all of an open file.
static json_t *metadata_parse(struct source *source, struct problem *problem)
{
    size_t got;
    json_error_t error;
    json_t *json = NULL;
    char *text = source->size <= METADATA_MOST ? malloc((size_t)source->size + 1) : NULL;
    if (source->size > METADATA_MOST) {
        problem_set(
            problem, PROBLEM_LIMIT, "'%s' has more than %u MiB of metadata", source->path,
            (unsigned)(METADATA_MOST >> 20));
    } else if (!text) {
        problem_no_memory(problem, "reading", source->path);
    } else if (source_read(source, text, (size_t)source->size, &got, problem)) {
        metadata_short = false;
        json_set_alloc_funcs(metadata_alloc, free);
        json = json_loadb(text, got, JSON_DECODE_INT_AS_REAL, &error);
        if (metadata_short) {
            json_decref(json);
            json = NULL;
            problem_no_memory(problem, "reading", source->path);
        } else if (!json) {
            problem_set(
                problem, PROBLEM_INPUT, "'%s' is not valid JSON: line %d: %s", source->path,
                error.line, error.text);
        }
    }
    free(text);
    return json;
}

json_t *metadata_read(
    const char *folder, const char *name, struct source_files *watched, struct problem *problem)
{
    struct source source;
    char *path, *place;
    json_t *json = NULL;
    path = asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
    place = asprintf(&place, "%s/.", folder) < 0 ? NULL : place;
    if (!path || !place) {
        problem_no_memory(problem, "reading", folder);
    } else if (
        source_stamp_at(path).inode != 0 && sidecar_open(place, name, false, &source, problem)) {
        json = metadata_parse(&source, problem);
        if (json && watched) {
            source_files_add(watched, path, &source.stamp);
        }
        source_close(&source);
    }
    free(path);
    free(place);
    return json;
}

bool metadata_count(const json_t *value, uint64_t *out)
{
    const double real = json_is_real(value) ? json_real_value(value) : -1;
    const bool fine = real >= 0 && real <= 0x1p53;
    *out = fine ? (uint64_t)real : 0;
    return fine && (double)*out == real;
}

bool metadata_counts(const json_t *value, uint64_t *out, size_t count)
{
    bool fine = json_array_size(value) == count;
    for (size_t i = 0; fine && i < count; i++) {
        fine = metadata_count(json_array_get(value, i), &out[i]);
    }
    return fine;
}

bool metadata_reals(const json_t *value, double *out, size_t count)
{
    bool fine = json_array_size(value) == count;
    for (size_t i = 0; fine && i < count; i++) {
        fine = json_is_real(json_array_get(value, i));
        out[i] = json_real_value(json_array_get(value, i));
    }
    return fine;
}

const char *metadata_text(const json_t *value)
{
    return json_is_string(value) ? json_string_value(value) : "";
}

const char *metadata_member(const json_t *object, const char *key)
{
    return metadata_text(json_object_get(object, key));
}
