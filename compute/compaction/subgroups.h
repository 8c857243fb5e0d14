// Subgroup sizes that kernels may ask for. All of them run with full subgroups.
#pragma once

#include "compute/gpu/gpu.h"

// May kernels with workgroups of GROUP lanes ask for this size? 0, the device's own choice, always.
// PROBLEM_UNSUPPORTED with what is offered where not.
bool subgroups_offered(const struct gpu *gpu, uint32_t size, struct problem *problem);
