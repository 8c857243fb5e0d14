// Shared by the kernels of ofk-compact and the C side.
#ifndef SHADERS_SHARED_OFK_COMPACT_H
#define SHADERS_SHARED_OFK_COMPACT_H

#include "shaders/shared/glue.h"

struct ofk_own {
    ADDRESS(Uints) masks;  // one per lane
    ADDRESS(Uints) blocks; // per workgroup: its count, later where its elements go
};

#endif
