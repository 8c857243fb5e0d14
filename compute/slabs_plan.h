// What the plan of slabs and their runs share, and nobody else sees.
#pragma once

#include "compute/slabs.h"

// Device memory that must be free beside a slab and its surface, to load the next and to read back.
uint64_t
slabs_staging(const struct gpu *gpu, const struct atlas *atlas, const uint64_t room[LISTS]);
