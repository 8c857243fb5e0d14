// Shared by the kernels of Chag's compaction and the C side.
#ifndef SHADERS_SHARED_CHAG_H
#define SHADERS_SHARED_CHAG_H

#include "shaders/shared/glue.h"

struct chag_own {
    ADDRESS(Uints) masks;  // chag-ballot: a bit per element
    ADDRESS(Uints) blocks; // per range: its count, later where its elements go
};

#endif
