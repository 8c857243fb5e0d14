// The slices of an open file, as parts of a volume read them.
#pragma once

#include "compute/atlas.h"
#include "volumes/formats/volume_file.h"

// The file must outlive it. Reading ends with `interrupted`.
struct atlas_source file_source(struct volume_file *file);
