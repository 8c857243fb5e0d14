// Shared by the kernels of scan and scatter and the C side.
#ifndef SHADERS_SHARED_SCAN_SCATTER_H
#define SHADERS_SHARED_SCAN_SCATTER_H

#include "shaders/shared/glue.h"

struct scan_scatter_own {
    ADDRESS(Uints) masks;  // one per lane
    ADDRESS(Uints) blocks; // the scan's levels above the lanes
    ADDRESS(Uints) levels; // level 0: per lane, where its elements go
    uint level;            // the level that the pass works on
    uint top;              // 1: it is the last level
};

#endif
