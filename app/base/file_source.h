// Gives the slices of an open file to the parts of a volume.
#pragma once

#include "compute/atlas.h"
#include "volumes/formats/volume_file.h"

// Whether a volume that could not be read whole, because of `why`, may be opened part by part:
// there was too little memory, and it is in a file. `path` is NULL for the generated volume.
bool file_source_instead(const char *path, const struct problem *why);

// The file must outlive it. Reading stops when `interrupted` is set.
struct atlas_source file_source(struct volume_file *file);
