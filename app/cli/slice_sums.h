// Checksums of a few slices of a volume's samples, taken while they are read for something else.
// What is not read then is read for them, in ascending order.
#pragma once

#include "compute/atlas.h"
#include "compute/mesh/share.h"
#include "volumes/formats/volume_file.h"

struct slice_sums {
    const struct volume *volume;
    struct volume_file *file;   // closed: the volume has its samples
    struct atlas_source source; // of the file
    uint32_t z[SHARE_SUMS], sums[SHARE_SUMS];
    bool has[SHARE_SUMS];
};

// Looks at the slices `z`. Both pointers must outlive it.
void slice_sums_begin(
    const struct volume *volume, struct volume_file *file, const uint32_t z[SHARE_SUMS],
    struct slice_sums *out);

// Reads from the file as file_source does, and notes the sums of what is read.
struct atlas_source slice_sums_source(struct slice_sums *sums);

// Reads those of the slices that lie below slice z, or UINT32_MAX: all that are still missing.
bool slice_sums_read(struct slice_sums *sums, uint32_t z, struct problem *problem);
