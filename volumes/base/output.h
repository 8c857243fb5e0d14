// A file on its way out: seen whole under its name, or not at all.
//
// A regular target (or a name not yet taken) is written under a temporary name beside it
// (.cubist-HOST-HASH-PID-N.part), flushed to the disk, then renamed over the target: a kill at any
// moment leaves the old file or the new one. The new file keeps the old one's mode, owner and
// extended attributes (access control lists too) as far as the file system and the user's rights
// allow. A symbolic link is followed, the file behind it replaced. Anything else (a pipe, a device,
// /dev/stdout, /dev/fd/N) is written straight, and "-" is standard output. Temporary files that
// killed runs on this host left in the same folder are swept on open.
//
//     struct output output;
//     if (!output_open(path, &output, problem)) { return false; }
//     if (!output_write(&output, bytes, size, problem)) { goto fail; }
//     return output_commit(&output, problem);
// fail:
//     output_abort(&output);
//     return false;
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUTPUT_TEMPORARY 96 // bytes of a temporary name, with its end

struct output {
    int fd;                           // -1 when not open
    int folder;                       // of the target; -1 when written straight
    int pending;                      // slot of the temporary name, -1 when written straight
    char *path;                       // as the caller said it, for messages
    char *name;                       // of the target within `folder`; NULL when written straight
    char temporary[OUTPUT_TEMPORARY]; // name within `folder`
    char *placed;                     // of output_open_new; NULL where a file may be replaced
    unsigned char *buffer;
    size_t filled;
    uint64_t written; // bytes handed to output_write so far
    uint64_t on_disk; // bytes that have been sent on to the disk (see output.c)
};

// Opens `path` for writing. PROBLEM_USAGE for an empty path; PROBLEM_OUTPUT for a directory, a
// missing or read-only folder, a read-only file; PROBLEM_INTERRUPTED where a signal ended the wait
// for the reader of a named pipe. On false `out` is closed and nothing was changed.
bool output_open(const char *path, struct output *out, struct problem *problem);

// The same for a file that shall replace nothing. Where something has its name by the time it is
// committed, it gets the first free one of NAME-2.EXTENSION, NAME-3.EXTENSION and so on, also where
// others do the same at the same time. Symbolic links are not followed. The commit writes the path
// that it got into `placed`, which is the caller's and stays; until then `path` stands there.
#define OUTPUT_PLACED 8192
bool output_open_new(
    const char *path, char placed[OUTPUT_PLACED], struct output *out, struct problem *problem);

// Appends bytes (buffered: small writes are cheap). After false only output_abort may follow.
bool output_write(struct output *out, const void *bytes, size_t size, struct problem *problem);

// Flushes, and puts the file in its place. Closes `out` on true and on false; on false an old file
// is as it was and the temporary one is gone.
bool output_commit(struct output *out, struct problem *problem);

// Drops what was written and closes `out`. Takes a closed, committed or zeroed one.
void output_abort(struct output *out);

// Unlinks the temporary files of all open outputs. Async-signal-safe: for a handler that is about
// to end the process.
void output_unlink_pending(void);

// Opens a new file without a name in `folder`, for reading and writing: it is gone when it is
// closed, however the process ends. -1 with errno where none can be made.
int output_nameless(const char *folder);
