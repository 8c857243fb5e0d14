// The file of a session: a volume, the view of it as options of `cubist render`, and the window.
//
//     {
//       "cubist_session": 1,
//       "volume": { "path": ..., "beside": ..., "bytes": ..., "start": ... },
//       "options": { "iso": "36.5", "camera": "...", "box": true },
//       "window": { "size": "1280x800", "axes": true, ... }
//     }
//
// "options" has the texts that the command line takes; true stands for an option without a value.
// The members of "window" are those of app/settings/table.c. What this program does not know stays
// in the file when it is written again.
#pragma once

#include "app/base/json_file.h"

#include <string.h>

struct session_file {
    struct json_file file;
    char *path;   // of the session
    char *volume; // the path of its volume; NULL: the generated one, or not found
    char *stated; // the path that the session states for it; NULL: none, or not sought yet
};

// Whether this is the name of a session, which can stand where the path of a volume does.
static inline bool session_file_named(const char *path)
{
    static const char ending[] = ".cubist.json";
    const size_t length = strlen(path), end = sizeof ending - 1;
    return length > end && strcmp(path + length - end, ending) == 0;
}

// Reads a session. Warns of one that a newer program has written. PROBLEM_INPUT where it is not
// one. On false nothing is open.
bool session_file_open(const char *path, struct session_file *out, struct problem *problem);
void session_file_close(struct session_file *session); // it may be zeroed

// The same for the bytes of a session; NULL: those of the file.
bool session_file_parse(
    const char *path, const void *bytes, size_t size, struct session_file *out,
    struct problem *problem);

// Looks for the volume: where it is from the session's folder, where it was, and beside the
// session. A file with the same size and beginning is preferred; warns where only another is found.
// PROBLEM_INPUT, with session->stated, where there is none.
bool session_file_find(struct session_file *session, struct problem *problem);

// Whether the file at this path is the session's volume: by its size and beginning, wherever it is.
bool session_file_is_of(const struct session_file *session, const char *path);

// Writes where the volume is. `path` NULL: the generated one.
void session_file_put_volume(json_t *json, const char *path, const char *session);

// A copy of the session to fill and to write, with what is not known in it. NULL: a new one.
json_t *session_file_begin(const struct session_file *session);

// Writes the file, and frees `json`. `placed` NULL: replaces a file, and `secret` is as in
// output_open_again. Else as in output_open_new.
bool session_file_write(
    json_t *json, const char *path, char *placed, bool secret, struct problem *problem);
