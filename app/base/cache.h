// Files that cubist keeps between runs in the user's cache: $XDG_CACHE_HOME/cubist/, or
// ~/.cache/cubist/ where that variable is not set. Each device has its own files. A run works
// without them, so a failure here is no error. Several processes may use a file at the same time,
// because each write replaces the whole file.
#pragma once

#include "compute/compaction/times.h"

// ---- What the driver has compiled: pipelines-UUID-UUID.bin, a file per driver and device.
//
// A driver does not check these bytes; damaged ones may crash it. A file is used only if this
// version of cubist wrote it for this device and driver, and if its checksum is right.

#define PIPELINE_CACHE_LARGEST ((size_t)64 << 20) // bytes; a larger one is not kept

// Loads the file, if it can be used, for the pipelines of this device. Call it once, before any
// pipeline is created.
void pipeline_cache_load(struct gpu *gpu);

// Writes the file if the driver has compiled more than was loaded. If the driver has more than 64
// MiB, removes the file instead: the next run starts with an empty cache.
void pipeline_cache_save(struct gpu *gpu);

// The file begins with this head. The driver's bytes follow. They begin with a head of the driver's
// own, which also names device and driver.
struct pipeline_cache_head {
    char program[40];
    uint8_t device[VK_UUID_SIZE], driver[VK_UUID_SIZE];
    uint64_t driver_version, size, checksum; // size and checksum: of the driver's bytes
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

// Saves the times. Returns the file's path, malloc'ed. If the file cannot be written, prints a note
// and returns NULL.
char *times_cache_save(const struct gpu *gpu, const struct times *times);
