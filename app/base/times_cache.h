// The times that `auto` goes by, kept between runs in the user's cache: one small file per device,
// $XDG_CACHE_HOME/cubist/methods-UUID.json, or ~/.cache/cubist/ where that is not set.
//
// Times of another driver, program or kernel are no times. Nothing here is ever an error: without
// them `auto` goes by the bytes moved.
#pragma once

#include "compute/compaction/times.h"

// Whether there were any; a note on stderr where a file is there and cannot be used.
bool times_cache_load(const struct gpu *gpu, struct times *out);

// The file that they went to, malloc'ed; NULL, after a note on stderr, where it cannot be written.
char *times_cache_save(const struct gpu *gpu, const struct times *times);
