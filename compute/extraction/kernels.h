// The kernels of extraction's own stages.
#pragma once

#include "compute/gpu/kernel.h"

enum stage_kernel {
    STAGE_CLASSIFY,
    STAGE_EDGES,
    STAGE_VERTICES,
    STAGE_TRIANGLES,
    STAGE_FINISH,
    STAGES
};

// The row of a stage, for an atlas in an image or in a buffer.
const struct kernel_info *stage_info(enum stage_kernel stage, bool image);
