// What the driver has compiled, kept between runs in one file per driver and device:
// pipelines-UUID-UUID.bin, see cache.h. Nothing here is an error: without the file the driver
// compiles again.
//
// Drivers trust such bytes and may crash on others. So a file is used only if it was written by
// this version of cubist, for this device and driver, and if its checksum is right.
#pragma once

#include "compute/gpu/gpu.h"

// Lets the device make pipelines from the file, if there is one that can be used. Once, before any
// pipeline is made.
void pipeline_cache_load(struct gpu *gpu);

// Writes the file if the driver has compiled more than was loaded. When that is more than 64 MiB,
// the file is removed: the next run begins with nothing, and keeps what it needs.
void pipeline_cache_save(struct gpu *gpu);
