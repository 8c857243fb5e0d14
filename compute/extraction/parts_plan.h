// Plans how a volume is divided into parts.
#pragma once

#include "compute/extraction/part_size.h"

struct parts_plan {
    // The layers of cells that are divided: `from` up to, but not including, `to`. The whole
    // volume, unless parts_params.some is set.
    uint32_t from, to;
    // Layers of cells of each part (the last one may have fewer), and the number of parts. Both are
    // 0 where there is nothing to divide.
    uint32_t layers, count;
    uint32_t rows;     // 0: all; otherwise a part is so many rows of one layer
    uint64_t bytes;    // device memory of a part with an ordinary surface
    uint64_t resident; // device memory of each further resident part
    uint64_t least;    // bytes for one row of cells of one layer with every cell active. With less
                       // memory, nothing is tried; with as much, every surface is possible
    uint64_t budget;   // gpu->budget.limit, or what the device has
};

// Plans the parts, without reading samples or allocating device memory. Parts are as large as
// memory and the limits of the device allow (see part_size.h), for surfaces of ordinary extent. A
// part whose surface is too large is divided during the extraction, so the plan affects speed, not
// success. PROBLEM_DEVICE_MEMORY, with the needed bytes and the budget, if not even one row of
// cells fits; PROBLEM_LIMIT if one row of cells exceeds a limit of the device.
bool parts_plan(
    struct gpu *gpu, const struct parts_params *params, struct parts_plan *out,
    struct problem *problem);
