// A volume as a raw file.
#pragma once

#include "volumes/volume.h"

// Writes the samples, little-endian, in file_type (float64 is widened again), nothing else: dims
// and type belong into the name. Written whole or not at all, see volumes/output.h; "-" is
// standard output.
bool volume_write_raw(const struct volume *volume, const char *path, struct problem *problem);
