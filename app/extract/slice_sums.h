// Checksums of a few slices of a volume's samples, taken while they are read for something else.
// What is not read then is read for them, in ascending order.
#pragma once

#include "compute/atlas.h"
#include "compute/mesh/share.h"
#include "volumes/formats/volume_file.h"

// The sum of a slice, if it has been taken.
struct slice_sum {
    uint32_t z, sum;
    bool has;
};

struct slice_sums {
    const struct volume *volume;
    struct volume_file *file; // closed: the volume has its samples
    struct slice_sum *list;
    size_t count;
};

// Looks at the slices of `list`. All pointers must outlive it.
void slice_sums_begin(
    const struct volume *volume, struct volume_file *file, struct slice_sum *list, size_t count,
    struct slice_sums *out);

// Reads from the file, and notes the sums of what is read.
struct atlas_source slice_sums_source(struct slice_sums *sums);

// Reads those of the slices that lie below slice z, or UINT32_MAX: all that are still missing.
bool slice_sums_read(struct slice_sums *sums, uint32_t z, struct problem *problem);
