// The device of each rank, where there are several.
#pragma once

#include "compute/gpu/gpu.h"

// Adds to `params` that the ranks of a host take turns with its devices. A CPU device gets this
// rank's cores only. Call it before gpu_create.
void rank_device_prepare(struct gpu_params *params);

// Collective, after gpu_create. Ranks that use one device each get an equal share of what is free
// of it as their budget, unless a budget is set. A note tells of a GPU with several ranks.
bool rank_device_share(struct gpu *gpu, struct problem *problem);
