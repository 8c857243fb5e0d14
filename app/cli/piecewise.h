// For the window, until it pulls parts.
#pragma once

#include "app/base/file_source.h"

static inline struct atlas_source piecewise_source(struct volume_file *file)
{
    return file_source(file);
}

static inline uint32_t piecewise_layers(const struct gpu *gpu, const struct volume *volume)
{
    const uint64_t most = (UINT64_C(1) << 24) / ((uint64_t)volume->dim[0] * volume->dim[1]);
    return !gpu->software || most > volume->dim[2] ? 0 : most > 0 ? (uint32_t)most : 1;
}
