// The bytes of an input file, front to back, plain or gzip. The file is never mapped: so a file
// that shrinks while it is read is an error, not a SIGBUS.
#pragma once

#include "volumes/base/problem.h"

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// Equal stamps mean that nothing was written to the file in between, as far as the file system's
// clock shows.
struct source_stamp {
    uint64_t device, inode, size;
    int64_t seconds, nanoseconds; // when the file was last written to
};

// The CRC-32 that a source must have. It is of the bytes that source_read returns, which are
// inflated if the source is. It is checked once: when all bytes have been read in order, from the
// first to the last. Zero-initialised means that the source has no checksum.
struct source_sum {
    uint64_t size, count; // bytes of the source; how many of them `now` covers
    uint32_t expected, now;
    uint32_t before; // the CRC-32 of the bytes in front of those that are read; 0: there are none
};

struct source {
    int fd;                    // -1 when not open
    const char *path;          // borrowed from the caller, or owned_path
    char *owned_path;          // set by sidecar_open; NULL: the path is the caller's
    uint64_t size;             // bytes of the file when it was opened; reading never goes further
    struct source_stamp stamp; // of the file when it was opened
    uint64_t begin;            // offset where reading begins: 0, or set by source_confine
    uint64_t taken;            // offset in the file of the next byte to read
    int peek_error;            // errno of a peek that could not read the file; 0: none
    uint64_t peek_error_at;    // offset in the file of the failed peek
    bool packed;               // gzip or zlib: bytes are inflated while they are read
    bool bare;                 // packed: deflate without head or sum; set before source_inflate
    bool members;              // packed: gzip; another member may follow
    bool ended;                // packed: the stream, or the last member, is complete
    bool between;              // packed: a member is complete and no byte of a next one was seen
    z_stream stream;
    struct source_sum sum;
    unsigned char *window; // compressed bytes
    unsigned char
        *head; // what a gzip file begins with, inflated; NULL: source_unpack was not called
    size_t head_size;
};

// Opens a regular file. Anything else (a pipe, a device, a directory) is refused without waiting.
// PROBLEM_INPUT with the reason; PROBLEM_USAGE if this run also writes the file (see apart.h).
// On false `out` is closed.
bool source_open(const char *path, struct source *out, struct problem *problem);

// The same for a descriptor that is already open (with O_NONBLOCK). The source owns it, and closes
// it on false.
bool source_adopt(int fd, const char *path, struct source *out, struct problem *problem);

// The same for one of the many files of a folder that is noted as a whole (apart_folder): a file
// that has no other name is not noted.
bool source_adopt_inside(int fd, const char *path, struct source *out, struct problem *problem);

// Reads `size` bytes of an open file from `at` on and returns how many there are: fewer at the end
// of the file, and after an error. *error is the errno, or 0 without an error; `error` may be NULL.
// Reads that are interrupted or short are repeated. Every read at a position goes through here.
size_t source_read_at(int fd, uint64_t at, void *bytes, size_t size, int *error);

// Copies bytes without consuming them and returns how many there are. There are fewer than asked
// for at the end of the file, and after an error, which source_sound reports.
size_t source_peek(struct source *source, void *bytes, size_t size);
size_t source_peek_at(struct source *source, uint64_t at, void *bytes, size_t size);

// PROBLEM_INPUT where a peek had an error, or found the end of the file too early. Then the
// reader's result cannot be trusted.
bool source_sound(const struct source *source, struct problem *problem);

// Limits reading to the bytes from `at` up to, but not including, `end`, which is at most the
// file's size. Call it before any reading.
void source_confine(struct source *source, uint64_t at, uint64_t end);

// Whether the first bytes are those of a gzip file. Consumes nothing.
bool source_is_gzip(struct source *source);

// For a gzip file that stands for the file in it: from here on peeks see the first bytes inside, up
// to 1 MiB and a bit, and no end of the file after them. Reading still begins with source_inflate.
// PROBLEM_INPUT where the file is not valid.
bool source_unpack(struct source *source, struct problem *problem);

// The uncompressed size that a gzip file states at its end, modulo 2^32; false if it states none.
bool source_gzip_size(struct source *source, uint32_t *size);

// Inflates all bytes from here on. Their start shows whether they are gzip or zlib. Call it before
// the first read.
bool source_inflate(struct source *source, struct problem *problem);

// Moves to byte `at` after the start of reading. Inflated bytes can only go back to the first (0).
void source_seek(struct source *source, uint64_t at);

// Reads up to `size` bytes, and fewer only at the end of the data. PROBLEM_INPUT where the file
// cannot be read, is shorter than it was, or is not a valid gzip or zlib stream;
// PROBLEM_INTERRUPTED as for input_go_on.
bool source_read(
    struct source *source, void *bytes, size_t size, size_t *got, struct problem *problem);

// Skips `bytes`. *missing: how many of them lie beyond the end.
bool source_skip(struct source *source, uint64_t bytes, uint64_t *missing, struct problem *problem);

// How many bytes of the file were read since reading began. For inflated bytes it counts the
// compressed bytes.
uint64_t source_taken(const struct source *source);

// PROBLEM_INPUT where the open file no longer has this stamp.
bool source_unchanged(
    const struct source *source, const struct source_stamp *stamp, struct problem *problem);
// Checks the file that is at `path` now, which may be another file.
bool source_unchanged_at(
    const char *path, const struct source_stamp *stamp, struct problem *problem);
// The stamp of the file at `path`; zero where there is no file.
struct source_stamp source_stamp_at(const char *path);

// Files and their stamps. If memory is short, the list lacks files. Zero-initialised means none.
// Release with source_files_free.
struct source_files {
    char **paths;
    struct source_stamp *stamps;
    size_t count, capacity;
};

void source_files_free(struct source_files *files);

// Adds a file to the list, unless the list has its path already. Returns false if memory is short.
bool source_files_add(
    struct source_files *files, const char *path, const struct source_stamp *stamp);

// As source_unchanged_at, for each file.
bool source_files_unchanged(const struct source_files *files, struct problem *problem);

// Moves an open source, which may have been peeked at but not read, to another struct. `source` is
// closed then.
struct source source_take(struct source *source);

// Closes a source. It may be closed or zeroed already.
void source_close(struct source *source);
