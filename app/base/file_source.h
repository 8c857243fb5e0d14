// Gives the slices of an open file to the parts of a volume.
#pragma once

#include "compute/atlas.h"
#include "volumes/formats/volume_file.h"

// The file must outlive it. Reading stops when `interrupted` is set.
struct atlas_source file_source(struct volume_file *file);
