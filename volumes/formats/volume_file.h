// A volume that stays in its file. The file is opened once and then read by ranges of slices. The
// memory does not grow with the volume. The samples are bit by bit those of volume_read.
//
// Ranges of raw samples (with a header or in a separate file), of folders of images, and of the
// pages or blocks of a file can be read in any order at the same cost. Compressed samples and text
// are decoded forward. A range that lies before the last one makes the decoder start again, so read
// the ranges in ascending order. An image of tiles is decoded once, and its samples stay in memory.
#pragma once

#include "volumes/cubes.h"
#include "volumes/facts.h"
#include "volumes/formats/contents.h"

// How the samples of one kind of file are read. `state` was made when the file was opened.
struct slice_reader {
    // As volume_file_read.
    bool (*read)(
        void *state, uint32_t z, uint32_t count, void *samples, const struct progress *progress,
        struct problem *problem);
    // As volume_file_unchanged.
    bool (*unchanged)(const void *state, struct problem *problem);
    void (*close)(void *state); // frees `state`, which may be half built
};

// Zero-initialised means closed. Release with volume_file_close.
struct volume_file {
    struct volume volume;     // all but the samples
    struct contents contents; // what the file holds
    bool seekable;            // any range costs the same; false: ranges are decoded forward
    char *path;               // of standard input: a temporary file
    const struct slice_reader *reader; // NULL: no reader has opened the file yet
    void *state;                       // owned; passed to `reader`
    bool process;                      // a reader process reads it
    bool by_index;                     // params->axis_index names one of its axes
    int spool; // descriptor of the temporary file with standard input; 0 or -1: none
};

// Opens the same inputs as volume_read, with the same params (except max_bytes, which is about
// memory) and the same errors. `params` may be NULL. On false `out` is closed.
bool volume_file_open(
    const char *path, const struct volume_params *params, struct volume_file *out,
    struct problem *problem);

// Reads `count` slices from `z` on into `samples`, with type file->volume.type in host order.
// PROBLEM_INPUT where the file is malformed, or was written to since it was opened; then it must be
// opened again. PROBLEM_INTERRUPTED by `progress`, which may be NULL and is asked every few MiB
// (for images, every slice). After false `samples` are undefined.
bool volume_file_read(
    struct volume_file *file, uint32_t z, uint32_t count, void *samples,
    const struct progress *progress, struct problem *problem);

// Whether the file, and all files that belong to it, still exist and are unchanged since they were
// opened. Reads no samples. False: PROBLEM_INPUT, as from volume_file_read.
bool volume_file_unchanged(const struct volume_file *file, struct problem *problem);

// The lowest and highest finite sample of a slice; INFINITY and -INFINITY where it has none.
struct slice_range {
    double min, max;
};

// What one of several processes reads: the slices `from` up to, but not including, `to`; perhaps
// none. `join` is called after each pass, also where there are no slices. It adds up the counts of
// all processes (see facts_tables). NULL: no counts are added up.
struct volume_file_share {
    uint32_t from, to;
    bool (*join)(void *user, struct facts_counts *counts, struct problem *problem);
    void *user;
};

// The volume_facts and volume_cubes of the file, with exactly the same numbers. Each of the outputs
// may be NULL. Reads the file once, or twice (`facts` of 32 bits and floats), in ascending order,
// some MiB at a time. `ranges`: memory for one range per slice. `share` NULL: all slices. Otherwise
// only `ranges` of its slices are set, and `cubes` covers only its samples. On false `cubes` is
// empty.
bool volume_file_facts(
    struct volume_file *file, const struct volume_file_share *share,
    const struct progress *progress, struct volume_facts *facts, struct slice_range *ranges,
    struct cubes *cubes, struct problem *problem);

// Closes `file`, which may be closed or zeroed already.
void volume_file_close(struct volume_file *file);
