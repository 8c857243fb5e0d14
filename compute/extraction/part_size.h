// How much device memory one part of a volume takes. This is the one function that knows all
// limits:
//
//   one buffer          gpu->limits.buffer, of each buffer
//   one allocation      gpu->limits.allocation, of each buffer and image
//   one image           gpu->limits.image, and the device's extents and layers, of the samples
//   one storage buffer  maxStorageBufferRange, of what kernels write
//   one texel buffer    maxTexelBufferElements, of the samples and of what kernels read as texels
//   one draw            gpu->limits.vertices, of the surface
//   bricks              MAX_BRICKS, so that edge ids fit 32 bits
//   one loop            method_longest, of the streams that the method compacts
//
// The size of the memory is not one of these limits: parts_plan and the budget check it.
//
// The number of workgroups does not bound a part, because dispatches are folded.
#pragma once

#include "compute/extraction/extraction.h"
#include "volumes/formats/volume_file.h"

// The parameters that determine the parts of a volume.
struct parts_params {
    // The whole volume: dim and type, and samples if there is no source.
    const struct volume *volume;
    const struct atlas_source *source; // copied; NULL: the volume's samples
    // The ranges of the slices, if they are known (see volume_file_facts); copied. Parts that the
    // isovalue misses by these ranges are never read.
    const struct slice_range *ranges;
    const struct times *times; // times for `auto`; must outlive the parts. NULL: none
    // `some`: only the layers of cells `from` up to, but not including, `to` are divided into
    // parts. If both are equal, there are no parts.
    bool some;
    uint32_t from, to;
    uint32_t layers;    // layers of cells per part at most; 0: as the budget allows
    uint32_t rows;      // not 0: every layer is divided along y into parts of so many rows of cells
    uint32_t residents; // resident parts at most; 0: as many as fit
    bool several;       // use more than one part, even if one would fit
    uint64_t given_back; // bytes that are allocated now, but free when parts are made
    // Bytes reserved for the picture, including those that it holds now. The plan leaves them free.
    // The caller enforces that by budget.reserve.
    uint64_t reserve;
    enum atlas_storage storage;
    uint32_t max_extent;         // see struct atlas_params
    const struct method *method; // the method that will run; NULL: any
};

// Bytes of device memory. `all` is GPU_TOO_MUCH if a limit is exceeded.
struct part_size {
    uint64_t atlas;   // samples and ranges
    uint64_t staging; // see part_staging
    uint64_t all;     // atlas, staging, scratch and surface
};

// The most that a part of so many layers and rows (0: all rows) takes, wherever in the volume it
// lies. Of the parameters it reads the volume's dim and type, storage, max_extent and method.
// `full`: with a surface in every cell; otherwise with a surface of ordinary extent. `problem`,
// which may be NULL, names the exceeded limit, as a rule with PROBLEM_LIMIT.
struct part_size part_size(
    const struct gpu *gpu, const struct parts_params *params, uint32_t layers, uint32_t rows,
    bool full, struct problem *problem);

// Device memory that must stay free beside a part and a surface of these sizes, to load the next
// part and to read the surface back.
uint64_t
part_staging(const struct gpu *gpu, const struct atlas *described, const uint64_t capacity[LISTS]);
