// The bytes of an input file, front to back, plain or gzip. Never mapped: a file that shrinks
// while it is read is an error, not a SIGBUS.
#pragma once

#include "volumes/base/problem.h"

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// Two equal stamps mean that nothing was written to the file in between, as far as the file
// system's clock can tell.
struct source_stamp {
    uint64_t device, inode, size;
    int64_t seconds, nanoseconds; // when it was last written to
};

struct source {
    int fd;                    // -1 when not open
    const char *path;          // borrowed from the caller
    uint64_t size;             // of the file when it was opened; reading ends there
    struct source_stamp stamp; // the same
    uint64_t begin;            // where reading began: 0, or source_confine's
    uint64_t taken;            // where in the file reading is
    int peek_error;            // errno of a peek that could not read the file; 0: none
    uint64_t peek_error_at;    // where in the file
    bool packed;               // bytes are inflated on the way: gzip or zlib
    bool members;              // packed: gzip, of which one may follow another
    bool ended;                // packed: the stream, or the last member, is complete
    bool between;              // packed: a member is complete, nothing of a next one seen
    z_stream stream;
    unsigned char *window; // compressed bytes on their way
};

// Says that the file at `path` will be written. From here on no source may be this file, by
// whatever name or link: an output never replaces a part of the input. "-" is standard output.
// Nothing happens where `path` is not a regular file. `path` is borrowed for messages. Call it on
// the main thread, before other threads read. PROBLEM_INTERNAL for more than 4 files.
bool source_keep_from(const char *path, struct problem *problem);
// False, with PROBLEM_USAGE, for such a file. source_open calls this; a caller that reads in
// another way has to call it too.
bool source_may_be_read(int fd, const char *path, struct problem *problem);

// Opens a regular file; anything else (a pipe, a device, a directory) is refused without a wait.
// PROBLEM_INPUT with the reason; PROBLEM_USAGE for a file of source_keep_from. On false `out` is
// closed.
bool source_open(const char *path, struct source *out, struct problem *problem);

// The same for a descriptor that is open already (with O_NONBLOCK); it is owned from here on, and
// closed on false.
bool source_adopt(int fd, const char *path, struct source *out, struct problem *problem);

// Copies bytes without consuming them; returns how many there are. Fewer come at the end of the
// file, and where it cannot be read: source_sound tells.
size_t source_peek(struct source *source, void *bytes, size_t size);
size_t source_peek_at(struct source *source, uint64_t at, void *bytes, size_t size);

// PROBLEM_INPUT where a peek met an error, or the end of the file too early. Then a reader's result
// cannot be trusted.
bool source_sound(const struct source *source, struct problem *problem);

// Before any reading: reads shall start at byte `at` of the file (up to its size) and end before
// byte `end`.
bool source_confine(struct source *source, uint64_t at, uint64_t end, struct problem *problem);

// The uncompressed size that a gzip file states at its end, modulo 2^32; false if it has none.
bool source_gzip_size(struct source *source, uint32_t *size);

// From here on the bytes are inflated: gzip, or zlib, as they start. Call before the first read.
bool source_inflate(struct source *source, struct problem *problem);

// Goes to byte `at` behind where reading began; of inflated bytes only back to the first (0).
bool source_seek(struct source *source, uint64_t at, struct problem *problem);

// Reads up to `size` bytes; fewer only at the end of the data. PROBLEM_INPUT where the file cannot
// be read, is shorter than it was, or is no sound gzip or zlib stream; PROBLEM_INTERRUPTED as
// input_go_on says.
bool source_read(
    struct source *source, void *bytes, size_t size, size_t *got, struct problem *problem);

// Skips `bytes`. *missing: how many of them lie beyond the end.
bool source_skip(struct source *source, uint64_t bytes, uint64_t *missing, struct problem *problem);

// Bytes of the file that were read, from where reading began. For inflated bytes: the compressed
// bytes that they came from.
uint64_t source_taken(const struct source *source);

// PROBLEM_INPUT where the open file's stamp is not this one any more.
bool source_unchanged(
    const struct source *source, const struct source_stamp *stamp, struct problem *problem);
// The same for a path. Another file may be there by now.
bool source_unchanged_at(
    const char *path, const struct source_stamp *stamp, struct problem *problem);
// Zero where there is no file.
struct source_stamp source_stamp_at(const char *path);

// Hands over an open source of which nothing has been read, only peeked at. `source` is closed
// then.
struct source source_take(struct source *source);

// Takes a closed or a zeroed one.
void source_close(struct source *source);
