// Shared by the kernels of scan and scatter and the C side.
#ifndef SHADERS_SHARED_SCAN_SCATTER_H
#define SHADERS_SHARED_SCAN_SCATTER_H

#include "shaders/shared/glue.h"

struct scan_scatter_own {
    uint level; // the level that the pass works on
    uint top;   // 1: it is the last level
};

#endif
