// Files that cubist keeps between runs in the user's cache: $XDG_CACHE_HOME/cubist/, or
// ~/.cache/cubist/ where that variable is not set. Each device has its own. No run needs one, so
// nothing here is an error, and several processes may use one at the same time: a file is replaced
// as a whole.
#pragma once

#include "compute/compaction/times.h"

// ---- What the driver has compiled: pipelines-UUID-UUID.bin, a file per driver and device.
//
// A driver does not check these bytes; damaged ones may crash it. A file is used only if this
// version of cubist wrote it for this device and driver, and if its checksum is right.

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

// Returns the path of the cache file, which the caller frees. NULL if the user has no cache folder,
// or out of memory.
char *pipeline_cache_path(const struct gpu *gpu);

// ---- The measured times that `auto` uses: methods-UUID.json, a small file per device. Times of
// another driver, program or kernel are ignored. Without times `auto` estimates from the bytes that
// a method moves.

// Loads the times. False where there are none; prints a note where a file exists and cannot be
// used.
bool times_cache_load(const struct gpu *gpu, struct times *out);

// Saves the times. Returns the file's path, malloc'ed, or NULL after a note where it cannot be
// written.
char *times_cache_save(const struct gpu *gpu, const struct times *times);
