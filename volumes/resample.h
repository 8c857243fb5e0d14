// A part of a volume, every n-th sample of it, in another type. `convert` uses it before it writes.
#pragma once

#include "volumes/volume.h"

// Zero means: the whole volume, every sample, the same type.
struct resample_params {
    uint32_t from[3]; // first sample along each axis
    uint32_t to[3];   // one beyond the last; 0: the volume's end
    uint32_t stride;  // every n-th sample, beginning with the first; 0 is 1
    bool has_type;    // `type` is given (VOLUME_UINT8 is 0)
    enum volume_type type;
    const struct progress *progress; // may be NULL
};

// How many samples changed, by reason. Each sample is counted once.
struct resample_losses {
    uint64_t clamped;    // outside the new type's range; they become its nearest value
    uint64_t not_finite; // NaN or infinite, in an integer type; NaN becomes 0, infinity the end of
                         // the range
    uint64_t rounded;    // not representable in the new type; rounded to nearest (half to even)
};

// Makes `out` from `in`. The origin moves to the first kept sample, the spacing grows by the
// stride, directions and frame stay. PROBLEM_USAGE where the part lies outside the volume or fewer
// than two samples are left along an axis; PROBLEM_HOST_MEMORY. On false `out` is empty.
bool volume_resample(
    const struct volume *in, const struct resample_params *params, struct volume *out,
    struct resample_losses *losses, struct problem *problem);
