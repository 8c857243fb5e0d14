// Shared by the kernels of scan and scatter and the C side.
#ifndef SHADERS_SHARED_SCAN_SCATTER_H
#define SHADERS_SHARED_SCAN_SCATTER_H

#include "shaders/shared/glue.h"

struct scan_scatter_own {
    uint level; // level of the scan that the pass works on
    uint top;   // 1: that level is the last one
};

#endif
