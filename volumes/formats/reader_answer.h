// What a reader process says about a volume: its first line, a JSON object (see README.md).
#pragma once

#include "volumes/formats/readers.h"
#include "volumes/formats/samples.h"

#define READER_LINE ((size_t)64 << 20) // bytes of the line at most

struct reader_answer {
    char version[64]; // of the reader: "GDCM 3.0.21"; "": it says none
    struct sample_format format;
    uint64_t dim[3];
    uint64_t granule;          // slices that are decoded together
    struct source_files files; // all files that it reads, unchanged since it looked
};

// Reads the line, and fills all of `out` but its reader. Opens every file of the answer for a
// moment: so each is noted as a file of the input, and outputs onto it are refused. `asked` is the
// path as the reader got it; of a folder with its last "/". A file that is neither this path nor
// beside or below it, or was written to since the reader looked, is refused.
// Where the reader refuses the input, the problem is its text. `who` begins the line about a wrong
// answer. Release with source_files_free(&answer->files), also after false.
bool reader_answer_parse(
    const char *line, size_t size, const char *path, const char *asked, const char *who,
    const struct volume_params *params, struct volume_file *out, struct reader_answer *answer,
    struct problem *problem);

// What a reader of the user says about itself with --formats.
struct reader_formats {
    char name[40];
    bool matches; // by magic or extension
};

// Reads that line. `head` is of the file; with size 0 it is of a folder. False: the line is wrong.
bool reader_formats_parse(
    const char *line, size_t size, const struct file_head *head, struct reader_formats *out);
