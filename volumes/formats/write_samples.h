// Writes the samples of a volume into an output. All formats use this.
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

// Appends all samples, little-endian, in file_type. With params->gzip they form one gzip member,
// with the same bytes on every run. `params` may be NULL.
bool write_samples(
    const struct volume *volume, const struct volume_write_params *params, struct output *output,
    struct problem *problem);
