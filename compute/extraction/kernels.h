// The kernels of extraction's own stages.
#pragma once

#include "compute/gpu/kernel.h"

enum step_kernel {
    KERNEL_CLASSIFY,
    KERNEL_EDGES,
    KERNEL_VERTICES,
    KERNEL_TRIANGLES,
    KERNEL_FINISH,
    STEP_KERNELS
};

// The kernel's row, for an atlas in an image or in a buffer.
const struct kernel_info *step_kernel_info(enum step_kernel kernel, bool image);
