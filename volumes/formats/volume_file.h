// A volume that stays in its file: opened once, then read by ranges of slices, in memory that does
// not grow with it. The samples are those that volume_read makes, bit by bit.
//
// Anywhere at once: raw samples, in a file of their own or behind (beside) a header, and folders of
// images. What is compressed or text is decoded forward, and from the start again where a range
// lies behind: read bottom up. What is neither can only be read whole; volume_file_open says so.
#pragma once

#include "volumes/facts.h"

// How the samples of one kind of file are read. `state` is what opening the file has left.
struct slice_reader {
    // As volume_file_read. Where volume_file.only_whole is set, only all slices are asked for,
    // once.
    bool (*read)(
        void *state, uint32_t z, uint32_t count, void *samples, const struct progress *progress,
        struct problem *problem);
    // As volume_file_unchanged. NULL where volume_file.only_whole is set.
    bool (*unchanged)(const void *state, struct problem *problem);
    void (*close)(void *state); // frees `state`, which may be half built
};

// Zero-initialised means closed. Release with volume_file_close.
struct volume_file {
    struct volume volume; // all but the samples
    bool seekable;        // any range costs what it takes; false: decoded forward
    // Why the samples cannot be read by ranges ("it is ..."); NULL: they can. Then
    // volume_file_open returns false with PROBLEM_UNSUPPORTED, and volume_read may be able to read
    // the file whole, by the name that is `path` (standard input is in a temporary file by then).
    // Release the struct all the same.
    const char *only_whole;
    char *path;
    const struct slice_reader *reader; // NULL: none yet
    void *state;                       // owned; of `reader`
    int spool;                         // standard input in a temporary file; 0 or -1: no such
};

// Opens what volume_read opens, with the same params (but max_bytes, which is about memory) and the
// same errors. `params` may be NULL. On false `out` is closed, but see only_whole.
bool volume_file_open(
    const char *path, const struct volume_params *params, struct volume_file *out,
    struct problem *problem);

// Reads `count` slices from `z` on into `samples`, of file->volume.type in host order.
// PROBLEM_INPUT where the file is not sound or has been written to since it was opened, which it
// must then be again; PROBLEM_INTERRUPTED by `progress`, which may be NULL and is asked every few
// MiB (a slice, of images). After false `samples` are undefined.
bool volume_file_read(
    struct volume_file *file, uint32_t z, uint32_t count, void *samples,
    const struct progress *progress, struct problem *problem);

// Whether nothing has been written to the file, or to any of its files, since it was opened, and
// all are there still. Reads no samples. False: PROBLEM_INPUT, as volume_file_read would say.
bool volume_file_unchanged(const struct volume_file *file, struct problem *problem);

// The lowest and highest finite sample of a slice; INFINITY and -INFINITY where it has none.
struct slice_range {
    double min, max;
};

// volume_facts of the file, number for number: reads it once, or twice (32 bits and floats), from
// the bottom, some MiB at a time. `ranges`: room for one of each slice, or NULL.
bool volume_file_facts(
    struct volume_file *file, const struct progress *progress, struct volume_facts *out,
    struct slice_range *ranges, struct problem *problem);

// Takes a closed or a zeroed one.
void volume_file_close(struct volume_file *file);
