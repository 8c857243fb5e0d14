// The measured times that `auto` uses. They are kept between runs in one small file per device:
// methods-UUID.json, see cache.h.
//
// Times of another driver, program or kernel are ignored. Nothing here is an error: without times
// `auto` estimates from the bytes that a method moves.
#pragma once

#include "compute/compaction/times.h"

// Loads the times. False where there are none; prints a note where a file exists and cannot be
// used.
bool times_cache_load(const struct gpu *gpu, struct times *out);

// Saves the times. Returns the file's path, malloc'ed, or NULL after a note where it cannot be
// written.
char *times_cache_save(const struct gpu *gpu, const struct times *times);
