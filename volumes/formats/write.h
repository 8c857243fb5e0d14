// A volume as a file, written whole or not at all (see volumes/base/output.h); "-" is standard
// output.
#pragma once

#include "volumes/formats/write_samples.h"

// A format, as a row of a table.
struct volume_format {
    const char *name;      // "nrrd"
    const char *extension; // ".nrrd"
    const char *summary;   // one line for people
    bool (*write)(
        const struct volume *volume, const char *path, const struct volume_write_params *params,
        struct problem *problem);
};

// The first is taken where nothing says which. Ended by a row without a name.
extern const struct volume_format volume_formats[];

// NULL where there is no such format. Case plays no part.
const struct volume_format *volume_format_find(const char *name);

// Chooses by the extension of `path`, which may have .gz behind it (`gzip`, else false); the first
// format for "-" and for a name without an extension. NULL with PROBLEM_USAGE, which names what
// there is, for an unknown extension.
const struct volume_format *volume_format_of(const char *path, bool *gzip, struct problem *problem);

// Writes the samples, little-endian, in file_type (float64 is widened again), nothing else: dims
// and type belong into the name. `params` may be NULL.
bool volume_write_raw(
    const struct volume *volume, const char *path, const struct volume_write_params *params,
    struct problem *problem);

// Writes NRRD, header and samples in one file, with directions, origin and, where it is known, the
// frame. `params` may be NULL.
bool volume_write_nrrd(
    const struct volume *volume, const char *path, const struct volume_write_params *params,
    struct problem *problem);
