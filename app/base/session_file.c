#include "app/base/session_file.h"

#include "app/base/fingerprint.h"
#include "volumes/base/log.h"
#include "volumes/base/output.h"

#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const json_int_t VERSION = 1;
static const char version_name[] = "cubist_session";

// ---- reading ----

// Copies a string member of the object "volume"; *out is NULL where it is missing. A string that is
// not UTF-8 is in the member NAME_bytes.
static bool session_file_get_text(
    const struct session_file *session, const json_t *volume, const char *name, char **out,
    struct problem *problem)
{
    char bytes_name[40], place[JSON_FILE_PLACE];
    snprintf(bytes_name, sizeof bytes_name, "%s_bytes", name);
    const json_t *member = json_object_get(volume, name);
    const char *digits = json_string_value(json_object_get(volume, bytes_name));
    const char *text = json_string_value(member);
    *out = NULL;
    if (member && (!text || !*text)) {
        return problem_set(
            problem, PROBLEM_INPUT, "%s: expected the name of a file",
            json_file_place(&session->file, "volume", name, place));
    }
    if (text && !(*out = strdup(text))) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading a session");
    }
    const size_t length = digits ? strlen(digits) : 0;
    if (*out && length > 0 && length % 2 == 0 && length / 2 <= strlen(text) &&
        strspn(digits, "0123456789abcdef") == length && !strstr(digits, "00")) {
        for (size_t i = 0; i < length / 2; i++) {
            unsigned byte = 0;
            sscanf(digits + 2 * i, "%2x", &byte);
            (*out)[i] = (char)byte;
        }
        (*out)[length / 2] = 0;
    }
    return true;
}

static bool session_file_check(const struct session_file *session, struct problem *problem)
{
    const struct json_file *file = &session->file;
    const json_t *version = json_object_get(file->json, version_name);
    char place[JSON_FILE_PLACE], *text;
    if (!version) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "%s has no \"%s\": it is not a session of cubist; Ctrl+S in the window writes one",
            file->name, version_name);
    }
    if (json_integer_value(version) < 1) {
        return problem_set(
            problem, PROBLEM_INPUT, "%s: expected a whole number, 1 or more",
            json_file_place(file, version_name, NULL, place));
    }
    json_t *options, *window, *volume = json_object_get(file->json, "volume");
    if (!json_file_object(file, "options", &options, problem) ||
        !json_file_object(file, "window", &window, problem) ||
        (!json_is_null(volume) && !json_file_object(file, "volume", &volume, problem))) {
        return false;
    }
    static const char *const names[] = { "path", "beside" };
    for (int i = 0; i < 2 && json_is_object(volume); i++) {
        if (!session_file_get_text(session, volume, names[i], &text, problem)) {
            return false;
        }
        free(text);
    }
    if (json_integer_value(version) > VERSION) {
        log_warn(
            "%s was written by a newer cubist: what this one does not know is ignored", file->name);
    }
    return true;
}

bool session_file_parse(
    const char *path, const void *bytes, size_t size, struct session_file *out,
    struct problem *problem)
{
    *out = (struct session_file){ .path = strdup(path) };
    if (!out->path) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading a session");
    }
    if ((bytes ? json_file_parse("session", path, bytes, size, &out->file, problem)
               : json_file_open("session", path, &out->file, problem)) &&
        session_file_check(out, problem)) {
        return true;
    }
    session_file_close(out);
    return false;
}

bool session_file_open(const char *path, struct session_file *out, struct problem *problem)
{
    return session_file_parse(path, NULL, 0, out, problem);
}

void session_file_close(struct session_file *session)
{
    json_file_close(&session->file);
    free(session->path);
    free(session->volume);
    free(session->stated);
    *session = (struct session_file){ 0 };
}

// ---- the volume's place ----

// The absolute folder of a path, with links resolved; malloc'ed.
static char *session_file_folder(const char *path)
{
    char *copy = strdup(path);
    char *folder = copy ? realpath(dirname(copy), NULL) : NULL;
    free(copy);
    return folder;
}

static char *session_file_join(const char *folder, const char *name)
{
    char *out = NULL;
    const bool root = strcmp(folder, "/") == 0;
    return asprintf(&out, "%s/%s", root ? "" : folder, name) < 0 ? NULL : out;
}

// The absolute path of a file; malloc'ed. Keeps the name of a link, because it may state the
// volume's size.
static char *session_file_absolute(const char *path)
{
    struct stat there;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) {
        return realpath(path, NULL);
    }
    char *folder = session_file_folder(path);
    char *out = folder ? session_file_join(folder, name) : NULL;
    free(folder);
    return out;
}

// The path of `to` relative to a folder; both are absolute. Malloc'ed.
static char *session_file_relative(const char *folder, const char *to)
{
    size_t same = 0;
    for (size_t i = 0;; i++) {
        const bool ends = folder[i] == 0 || folder[i] == '/';
        if (ends && to[i] == '/') {
            same = i;
        }
        if (folder[i] == 0 || folder[i] != to[i]) {
            break;
        }
    }
    char *out = NULL;
    size_t size;
    FILE *text = open_memstream(&out, &size);
    if (!text) {
        return NULL;
    }
    for (const char *at = folder + same; *at; at++) {
        if (*at == '/' && at[1]) {
            fputs("../", text);
        }
    }
    fputs(to + same + 1, text);
    if (fclose(text) != 0) {
        free(out);
        return NULL;
    }
    return out;
}

void session_file_put_volume(json_t *json, const char *path, const char *session)
{
    static const char *const names[] = { "path",         "path_bytes", "beside",
                                         "beside_bytes", "bytes",      "start" };
    if (!path) {
        json_add_null(json, "volume");
        return;
    }
    json_t *volume = json_object_get(json, "volume");
    if (!json_is_object(volume)) {
        volume = json_add_object(json, "volume");
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_object_del(volume, names[i]);
    }
    char *absolute = session_file_absolute(path);
    char *folder = session_file_folder(session);
    char *beside = absolute && folder ? session_file_relative(folder, absolute) : NULL;
    json_add_text(volume, "path", absolute ? absolute : path);
    if (beside) {
        json_add_text(volume, "beside", beside);
    }
    struct fingerprint print;
    if (fingerprint_of(path, &print)) {
        char start[20];
        snprintf(start, sizeof start, "%016" PRIx64, print.start);
        json_add_count(volume, "bytes", print.bytes);
        json_add_text(volume, "start", start);
    }
    free(absolute);
    free(folder);
    free(beside);
}

// Whether the file has the size and beginning that the session states, as far as it states them.
static bool session_file_is(const json_t *volume, const char *path)
{
    struct fingerprint print;
    char start[20] = "";
    const json_t *bytes = json_object_get(volume, "bytes");
    const char *expected = json_string_value(json_object_get(volume, "start"));
    const bool known = fingerprint_of(path, &print);
    if (known) {
        snprintf(start, sizeof start, "%016" PRIx64, print.start);
    }
    return (!bytes || (known && json_integer_value(bytes) == (json_int_t)print.bytes)) &&
           (!expected || (known && strcmp(expected, start) == 0));
}

bool session_file_is_of(const struct session_file *session, const char *path)
{
    const json_t *volume = json_object_get(session->file.json, "volume");
    return json_is_object(volume) && session_file_is(volume, path);
}

// Owns `path`, which may be NULL. Makes it session->volume if its file exists and matches better.
static void
session_file_consider(struct session_file *session, const json_t *volume, char *path, bool *certain)
{
    if (path && !*certain && access(path, F_OK) == 0) {
        const bool is = session_file_is(volume, path);
        if (is || !session->volume) {
            free(session->volume);
            session->volume = path;
            *certain = is;
            return;
        }
    }
    free(path);
}

bool session_file_find(struct session_file *session, struct problem *problem)
{
    const json_t *volume = json_object_get(session->file.json, "volume");
    char *path = NULL, *beside = NULL;
    if (!json_is_object(volume)) {
        return true; // the generated volume
    }
    if (!session_file_get_text(session, volume, "path", &path, problem) ||
        !session_file_get_text(session, volume, "beside", &beside, problem)) {
        free(path);
        return false;
    }
    if (!path && !beside) {
        char place[JSON_FILE_PLACE];
        return problem_set(
            problem, PROBLEM_INPUT, "%s: expected a member \"path\", the volume's file",
            json_file_place(&session->file, "volume", NULL, place));
    }
    const char *slash = path ? strrchr(path, '/') : NULL;
    char *folder = session_file_folder(session->path);
    bool certain = false;
    if (folder && beside) {
        session_file_consider(session, volume, session_file_join(folder, beside), &certain);
    }
    if (path) {
        session_file_consider(session, volume, strdup(path), &certain);
    }
    if (folder && slash) {
        session_file_consider(session, volume, session_file_join(folder, slash + 1), &certain);
    }
    const bool found = session->volume;
    if (!found) {
        problem_set(
            problem, PROBLEM_INPUT,
            "%s: its volume '%s' is not there, and not beside the session: put it there, or name "
            "it: cubist FILE --session SESSION",
            session->file.name, path ? path : beside);
    } else if (!certain) {
        log_warn(
            "%s: the volume '%s' is not the file that the session was saved with",
            session->file.name, session->volume);
    }
    free(folder);
    free(session->stated);
    session->stated = path ? path : beside;
    if (path) {
        free(beside);
    }
    return found;
}

// ---- writing ----

json_t *session_file_begin(const struct session_file *session)
{
    json_t *json = json_begin_from(session ? session->file.json : NULL);
    if (json_integer_value(json_object_get(json, version_name)) < VERSION) {
        json_add_integer(json, version_name, VERSION);
    }
    return json;
}

bool session_file_write(
    json_t *json, const char *path, char *placed, bool secret, struct problem *problem)
{
    struct output output;
    size_t size;
    char *text = json_text(json, false, &size, problem);
    bool fine = text && (placed ? output_open_new(path, placed, &output, problem)
                                : output_open_again(path, secret, &output, problem));
    if (fine && !(fine = output_write(&output, text, size, problem))) {
        output_abort(&output);
    }
    fine = fine && output_commit(&output, problem);
    free(text);
    return fine;
}
