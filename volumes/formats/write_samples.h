// The samples of a volume on their way into an output: what every format has in common.
#pragma once

#include "volumes/base/output.h"
#include "volumes/volume.h"

// Zero means default.
struct volume_write_params {
    bool gzip;                       // the samples are compressed
    const struct progress *progress; // may be NULL; false from it is PROBLEM_INTERRUPTED
};

// Appends all samples, little-endian, in file_type; one gzip member with params->gzip, the same
// bytes on every run. `params` may be NULL.
bool write_samples(
    const struct volume *volume, const struct volume_write_params *params, struct output *output,
    struct problem *problem);
