// A file that is being written. Other programs see the complete file under its name, or nothing.
//
// A regular target (or a name that is free) is written under a temporary name beside it
// (.cubist-HOST-HASH-PID-N.part), flushed to the disk, then renamed over the target. A kill at any
// moment leaves the old file or the new one. The new file keeps the old one's mode, owner and
// extended attributes (access control lists too) as far as the file system and the user's rights
// allow. A symbolic link is followed, and the file behind it is replaced. Anything else (a pipe, a
// device, /dev/stdout, /dev/fd/N) is written directly. "-" is standard output. Opening removes
// temporary files that killed runs on this host left in the same folder.
//
//     struct output output;
//     if (!output_open(path, &output, problem)) { return false; }
//     if (!output_write(&output, bytes, size, problem)) { goto fail; }
//     return output_commit(&output, problem);
// fail:
//     output_abort(&output);
//     return false;
#pragma once

#include "volumes/base/output_names.h"
#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output {
    int fd;            // -1 when not open
    int folder;        // descriptor of the target's folder; -1 when the target is written directly
    int lock;          // descriptor of the lock, if it is not `fd`; otherwise -1
    bool joined;       // the temporary file belongs to another process
    int pending;       // slot of the temporary name, -1 when written directly
    char *path;        // the target's path as the caller gave it, for messages
    char *name;        // name of the target in `folder`; NULL when written directly
    char *folder_path; // path of `folder`; NULL when written directly
    char temporary[OUTPUT_TEMPORARY]; // name within `folder`
    char *placed;                     // the caller's buffer of output_open_new, or NULL
    unsigned char *buffer;
    size_t filled;
    uint64_t written; // the offset in the file at which output_write puts the next byte
    uint64_t on_disk; // bytes whose writing to the disk has been started (see output.c)
};

// Opens `path` for writing. PROBLEM_USAGE for an empty path, and for a file that the program has
// read (see apart.h); PROBLEM_OUTPUT for a directory, a
// missing or read-only folder, a read-only file; PROBLEM_INTERRUPTED where a signal ended the wait
// for the reader of a named pipe. On false `out` is closed and nothing was changed.
bool output_open(const char *path, struct output *out, struct problem *problem);

// Like output_open, for a file that the program reads and later writes, such as a session: the new
// file may replace a file that was read. `secret`: a file that the program keeps for itself (state,
// caches). Only its user may read it, whatever the mode of the old file.
bool output_open_again(const char *path, bool secret, struct output *out, struct problem *problem);

// Like output_open, for a file that must not replace anything. If its name is taken at the commit,
// the file gets the first free name of NAME-2.EXTENSION, NAME-3.EXTENSION and so on. Several
// programs may do this at the same time. Symbolic links are not followed. The commit writes the
// final path into `placed`, which belongs to the caller and must outlive `out`; until then it holds
// `path`.
#define OUTPUT_PLACED 8192
bool output_open_new(
    const char *path, char placed[OUTPUT_PLACED], struct output *out, struct problem *problem);

// The name with this number, from 1 on: NAME.EXTENSION, NAME-2.EXTENSION. `name` may have folders.
// Cut off where `size` bytes are too few.
void output_number(const char *name, int number, char *out, size_t size);

// Appends bytes (buffered: small writes are cheap). After false only output_abort may follow.
bool output_write(struct output *out, const void *bytes, size_t size, struct problem *problem);

// Moves to byte `at` of the file, which may be behind its end. PROBLEM_OUTPUT where the target is
// not a regular file.
bool output_seek(struct output *out, uint64_t at, struct problem *problem);

// Several processes write one file. The owner opens it as usual and tells the others the path of
// the temporary file. All of them must have access to that path. Each writes bytes that no other
// one writes. The owner commits last, which gives the file its final name. The file must not have
// its full size before, so that nobody takes an unfinished file for a complete one.
#define OUTPUT_SHARED 4352
// Gives the owner the path of the temporary file. Call it before anything is written.
// PROBLEM_OUTPUT where the target is written directly, or the path is longer than OUTPUT_SHARED.
// After false only output_abort may follow.
bool output_temporary_path(struct output *out, char path[OUTPUT_SHARED], struct problem *problem);

// Opens the temporary file of another process. `path` names the target in messages. Committing it
// flushes and closes it; aborting it only closes it. An interrupt removes the temporary file, in
// case its owner has died. PROBLEM_OUTPUT where it cannot be opened.
bool output_join(
    const char *path, const char *temporary, struct output *out, struct problem *problem);

// Flushes a regular file to the disk, so that a full disk is noticed now. After false only
// output_abort may follow.
bool output_sync(struct output *out, struct problem *problem);

// Flushes the file to the disk and renames it to its final name. Closes `out` on true and on false.
// On false an old file is unchanged and the temporary file is gone.
bool output_commit(struct output *out, struct problem *problem);

// Drops what was written and closes `out`. `out` may be closed, committed or zeroed already.
void output_abort(struct output *out);

// Unlinks the temporary files of all open outputs. Async-signal-safe: for a handler that is about
// to end the process.
void output_unlink_pending(void);

// Opens a new file without a name in `folder`, for reading and writing. It is gone when it is
// closed, however the process ends. -1 with errno where none can be made.
int output_nameless(const char *folder);

// Writes all bytes, also where the system writes only a part at a time or is interrupted. False
// with errno, which is 0 where the system wrote nothing.
bool output_put(int fd, const void *bytes, size_t size);
