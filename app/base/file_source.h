// Gives the slices of an open file to the parts of a volume.
#pragma once

#include "compute/atlas.h"
#include "compute/gpu/gpu.h"
#include "volumes/base/size.h"
#include "volumes/formats/volume_file.h"

#include <string.h>

// Reading the volume whole has failed with `why`. Returns whether it may be opened part by part:
// memory was too short, and the volume is in a file. `path` is NULL for the generated volume.
static inline bool file_source_instead(const char *path, const struct problem *why)
{
    return (why->kind == PROBLEM_HOST_MEMORY || why->kind == PROBLEM_LIMIT) && path &&
           strcmp(path, "-") != 0;
}

// What a level may have in memory that is drawn, see volume_params: half of the device's memory,
// and no more than a volume may have. Never 0.
static inline uint64_t file_source_level_bytes(const struct gpu *gpu)
{
    const uint64_t device = (gpu_memory_free(gpu) + gpu->budget.allocated) / 2 + 1;
    return device < size_limit(0) ? device : size_limit(0);
}

static inline bool
file_source_read(void *file, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    return volume_file_read(file, z, count, samples, NULL, problem);
}

// The source reads `file`, which must outlive it. Reading stops when `interrupted` is set.
static inline struct atlas_source file_source(struct volume_file *file)
{
    return (struct atlas_source){ file_source_read, file };
}
