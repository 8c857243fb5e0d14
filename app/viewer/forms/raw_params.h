// What a person types about a raw file, as params: dims, spacing and the bytes before the samples.
#pragma once

#include "volumes/volume.h"

struct raw_texts {
    const char *dims, *spacing, *offset;
};

// Fills dim, spacing and offset of `params`; its type must be set. A third number of the dims that
// is left out follows from the file's size. True where the samples are exactly `bytes`. `note`, of
// `size` bytes: what is wrong; or what fits, with all dims.
bool raw_params_read(
    const struct raw_texts *texts, uint64_t bytes, struct volume_params *params, char *note,
    size_t size);
