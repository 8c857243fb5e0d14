// A volume as a file, which is written whole or not at all (see volumes/base/output.h). "-" is
// standard output.
#pragma once

#include "volumes/base/output.h"
#include "volumes/volume.h"

// Zero means default.
struct volume_write_params {
    bool gzip;                       // the samples are compressed
    const struct progress *progress; // may be NULL; false from it is PROBLEM_INTERRUPTED
    // Fills in slice z before it is written; the volume's samples are one slice then. NULL: they
    // are all slices.
    void (*make_slice)(void *user, uint32_t z, void *samples);
    void *user;
};

// A format: a row of a table.
struct volume_format {
    const char *name;      // "nrrd"
    const char *extension; // ".nrrd"
    const char *summary;   // one line for people
    // Writes what comes before the samples. NULL: the file has only samples, so dims and type
    // belong into the file's name.
    bool (*write_header)(
        const struct volume *volume, bool gzip, struct output *output, struct problem *problem);
};

// A row without a name ends the table.
extern const struct volume_format volume_formats[];

// Finds a format by name, ignoring case. NULL: there is none of this name.
const struct volume_format *volume_format_find(const char *name);

// Selects the format by the extension of `path`, which may have .gz after it (then *gzip is true).
// Returns `usual` for "-" and for a name without an extension. NULL with PROBLEM_USAGE, which lists
// the formats, for an unknown extension.
const struct volume_format *volume_format_of(
    const char *path, const struct volume_format *usual, bool *gzip, struct problem *problem);

// NRRD's header, with directions, origin and, if known, the frame.
bool write_nrrd_header(
    const struct volume *volume, bool gzip, struct output *output, struct problem *problem);

// Writes the header and all samples, little-endian, in file_type (float64 is widened again). With
// params->gzip the samples form one gzip member, with the same bytes on every run.
bool volume_write(
    const struct volume_format *format, const struct volume *volume, const char *path,
    const struct volume_write_params *params, struct problem *problem);

// Writes a volume that volume_generate would make, slice by slice. Needs memory for one slice,
// whatever the dims. `params` apply, except make_slice. PROBLEM_INTERRUPTED, PROBLEM_OUTPUT, and
// the problems of generation_create.
bool volume_write_generated(
    const char *name, const uint32_t dim[3], enum volume_type type,
    const struct volume_format *format, const char *path, const struct volume_write_params *params,
    struct problem *problem);
