// What the driver has compiled, kept between runs in one file per driver and device:
// pipelines-UUID-UUID.bin, see cache.h. Nothing here is an error: without the file the driver
// compiles again.
//
// Drivers trust such bytes and may crash on others. So a file is used only if it was written by
// this version of cubist, for this device and driver, and if its checksum is right.
#pragma once

#include "compute/gpu/gpu.h"

#define PIPELINE_CACHE_LARGEST ((size_t)64 << 20) // bytes that are kept

// Lets the device make pipelines from the file, if there is one that can be used. Once, before any
// pipeline is made.
void pipeline_cache_load(struct gpu *gpu);

// Writes the file if the driver has compiled more than was loaded. When that is more than 64 MiB,
// the file is removed: the next run begins with nothing, and keeps what it needs.
void pipeline_cache_save(struct gpu *gpu);

// The file: this head, then the driver's bytes. They name the device and the driver at their start,
// too.
struct pipeline_cache_head {
    char program[40];
    uint8_t device[VK_UUID_SIZE], driver[VK_UUID_SIZE];
    uint64_t driver_version, size, checksum; // of the bytes
};

struct pipeline_cache_head
pipeline_cache_head_of(const struct gpu *gpu, const uint8_t *bytes, size_t size);

// The file's path; malloc'ed, or NULL as cache_path().
char *pipeline_cache_path(const struct gpu *gpu);
