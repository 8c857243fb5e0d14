#include "app/base/json_file.h"

#include "volumes/formats/source.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST ((size_t)1 << 20) // bytes of a file

bool json_file_parse(
    const char *kind, const char *path, const void *bytes, size_t size, struct json_file *out,
    struct problem *problem)
{
    *out = (struct json_file){ 0 };
    snprintf(out->name, sizeof out->name, "%s '%s'", kind, path);
    if (size > LARGEST) {
        return problem_set(
            problem, PROBLEM_INPUT, "%s is larger than 1 MiB: it is not a file that cubist writes",
            out->name);
    }
    json_error_t error = { 0 };
    out->text = malloc(size + 1);
    if (out->text) {
        memcpy(out->text, bytes, size);
        out->text[size] = 0;
        out->size = size;
        out->json = json_loadb(out->text, size, JSON_REJECT_DUPLICATES, &error);
    }
    if (!out->text || (!out->json && json_error_code(&error) == json_error_out_of_memory)) {
        json_file_close(out);
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory reading %s '%s'", kind, path);
    }
    if (json_is_object(out->json)) {
        return true;
    }
    if (out->json) {
        problem_set(problem, PROBLEM_INPUT, "%s is not a single JSON object, {...}", out->name);
    } else {
        problem_set(
            problem, PROBLEM_INPUT, "%s, line %d, column %d: it is not valid JSON: %s", out->name,
            error.line, error.column, error.text);
    }
    json_file_close(out);
    return false;
}

bool json_file_open(
    const char *kind, const char *path, struct json_file *out, struct problem *problem)
{
    struct source source;
    *out = (struct json_file){ 0 };
    if (!source_open(path, &source, problem)) {
        return false;
    }
    size_t got = 0;
    char *bytes = malloc(LARGEST + 1);
    bool fine = bytes
                    ? source_read(&source, bytes, LARGEST + 1, &got, problem)
                    : problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", path);
    source_close(&source);
    fine = fine && json_file_parse(kind, path, bytes, got, out, problem);
    free(bytes);
    return fine;
}

void json_file_close(struct json_file *file)
{
    json_decref(file->json);
    free(file->text);
    *file = (struct json_file){ 0 };
}

// Returns the line with the name of a member; 0: not found. The text is valid JSON.
static unsigned json_file_line(const struct json_file *file, const char *outer, const char *inner)
{
    unsigned line = 1, depth = 0;
    bool inside = false;
    for (const char *at = file->text, *end = at + file->size; at < end; at++) {
        line += *at == '\n';
        if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
        } else if (*at == '"') {
            const char *name = ++at;
            while (at < end && *at != '"') {
                at += *at == '\\' ? 2 : 1;
            }
            if (at >= end) {
                return 0;
            }
            const size_t length = (size_t)(at - name);
            const char *wanted = depth == 1 ? outer : depth == 2 && inside ? inner : NULL;
            const bool is = at[1 + strspn(at + 1, " \t\r\n")] == ':' && wanted &&
                            length == strlen(wanted) && memcmp(name, wanted, length) == 0;
            if (is && (depth == 2 || !inner)) {
                return line;
            }
            inside = depth == 1 ? is : inside;
        }
    }
    return 0;
}

const char *json_file_place(
    const struct json_file *file, const char *outer, const char *inner, char out[JSON_FILE_PLACE])
{
    char where[40] = "";
    const unsigned line = json_file_line(file, outer, inner);
    if (line) {
        snprintf(where, sizeof where, ", line %u", line);
    }
    snprintf(
        out, JSON_FILE_PLACE, "%s%s, %.60s%s%.60s", file->name, where, outer, inner ? "." : "",
        inner ? inner : "");
    return out;
}

bool json_file_object(
    const struct json_file *file, const char *name, json_t **out, struct problem *problem)
{
    char place[JSON_FILE_PLACE];
    *out = json_object_get(file->json, name);
    return !*out || json_is_object(*out) ||
           problem_set(
               problem, PROBLEM_INPUT, "%s: expected an object, {...}",
               json_file_place(file, name, NULL, place));
}
