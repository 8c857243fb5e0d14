// Checksums of a few slices of a volume, taken while the slices are read for another purpose.
// Slices that nothing else reads are read for their checksums, in ascending order.
#pragma once

#include "compute/atlas.h"
#include "compute/mesh/share.h"
#include "volumes/formats/volume_file.h"

// The checksum of slice z, if `has` is set.
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

// Prepares checksums for the slices of `list`. All pointers must outlive *out.
void slice_sums_begin(
    const struct volume *volume, struct volume_file *file, struct slice_sum *list, size_t count,
    struct slice_sums *out);

// A source that reads the file, and stores the checksums of listed slices that it reads.
struct atlas_source slice_sums_source(struct slice_sums *sums);

// Reads the listed slices below slice z whose checksums are missing; UINT32_MAX: all of them.
bool slice_sums_read(struct slice_sums *sums, uint32_t z, struct problem *problem);
