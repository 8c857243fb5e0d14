// Subgroup sizes that kernels may request. All kernels run with full subgroups.
#pragma once

#include "compute/gpu/gpu.h"

// Whether kernels with workgroups of GROUP lanes may request this size. Size 0, the device's own
// choice, is always allowed. PROBLEM_UNSUPPORTED, which names the sizes that the device offers, if
// not.
bool subgroups_offered(const struct gpu *gpu, uint32_t size, struct problem *problem);
