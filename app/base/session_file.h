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
// The members of "window" are those of app/settings/table.c. Members that this program does not
// know are kept when the file is written again.
#pragma once

#include "app/base/json_file.h"

#include <string.h>

struct session_file {
    struct json_file file;
    char *path;   // of the session file
    char *volume; // path of the volume; NULL: it is the generated one, or was not found
    char *stated; // the volume's path as the file states it, from session_file_find; NULL: none
};

// Whether the path has the ending of a session. A session may be given in place of a volume.
static inline bool session_file_named(const char *path)
{
    static const char ending[] = ".cubist.json";
    const size_t length = strlen(path), end = sizeof ending - 1;
    return length > end && strcmp(path + length - end, ending) == 0;
}

// Reads a session. Warns if a newer program has written it. PROBLEM_INPUT where the file is no
// session. On false nothing is open.
bool session_file_open(const char *path, struct session_file *out, struct problem *problem);
void session_file_close(struct session_file *session); // accepts a zeroed struct

// Like session_file_open, for the bytes of a session; NULL: reads the file at `path`.
bool session_file_parse(
    const char *path, const void *bytes, size_t size, struct session_file *out,
    struct problem *problem);

// Looks for the volume at its path relative to the session's folder, at its absolute path, and
// beside the session. Prefers a file with the stated size and beginning; warns if only another one
// is found. PROBLEM_INPUT, with session->stated set, where no file is found.
bool session_file_find(struct session_file *session, struct problem *problem);

// Whether this file, wherever it is, has the size and the beginning of the session's volume.
bool session_file_is_of(const struct session_file *session, const char *path);

// Sets the member "volume". `path` NULL: the generated volume. `session`: path of the session.
void session_file_put_volume(json_t *json, const char *path, const char *session);

// Returns a copy of the session to fill and write, with its unknown members. NULL: a new session.
json_t *session_file_begin(const struct session_file *session);

// Writes the file, and frees `json`. `placed` NULL: opens it by output_open_again with `secret`,
// and may replace a file. Otherwise opens it by output_open_new with `placed`.
bool session_file_write(
    json_t *json, const char *path, char *placed, bool secret, struct problem *problem);
