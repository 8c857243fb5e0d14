// The readers behind volume_read, one for each thing that can stand at a path. Each fills `out` on
// true and leaves it empty on false.
#pragma once

#include "volumes/source.h"
#include "volumes/volume.h"

// `source` is open and nothing of it has been read.
bool raw_read(
    struct source *source, const struct volume_params *params, struct volume *out,
    struct problem *problem);

// A folder of PNG slices in natural order: the first is z = 0, the top row of each is y = 0.
bool slices_read(
    const char *path, const struct volume_params *params, struct volume *out,
    struct problem *problem);

// One PNG that tiles the slices row by row from the top left, params->atlas tiles.
bool atlas_read(
    struct source *source, const struct volume_params *params, struct volume *out,
    struct problem *problem);

// Reports the share done; PROBLEM_CANCELLED when the caller asks to stop.
bool progress_report(
    const struct progress *progress, const char *path, uint64_t done, uint64_t total,
    struct problem *problem);

// Puts params->spacing (or 1) into the volume; PROBLEM_USAGE where it is not finite and positive.
bool spacing_apply(
    const struct volume_params *params, struct volume *volume, struct problem *problem);
