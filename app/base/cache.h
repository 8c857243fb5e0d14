// Files that cubist keeps between runs in the user's cache: $XDG_CACHE_HOME/cubist/, or
// ~/.cache/cubist/ where that variable is not set. Each device has its own. No run needs one, and
// several processes may use one at the same time: a file is replaced as a whole.
#pragma once

#include "compute/gpu/gpu.h"

#include <stdio.h>
#include <sys/types.h>

// A UUID as text.
#define CACHE_UUID (2 * VK_UUID_SIZE + 1)
void cache_uuid(const uint8_t uuid[VK_UUID_SIZE], char out[CACHE_UUID]);

// The path of the device's file: NAME-UUID.EXTENSION, with the UUID of the device. Malloc'ed; NULL
// where the user has no folder for caches, or there is no memory.
char *cache_path(const struct gpu *gpu, const char *name, const char *extension);

// Opens a file of at most `largest` bytes, and sets its size. NULL with the reason in *why, or
// without a reason where there is no file.
FILE *cache_open(const char *path, off_t largest, off_t *size, const char **why);

// Puts a file in its place, and makes the folders of `path`, which is changed meanwhile.
// PROBLEM_OUTPUT where that cannot be done.
bool cache_write(char *path, const void *bytes, size_t size, struct problem *problem);
