// Loads the samples of a volume, or of a part of it, into an atlas. The samples go through a
// staging buffer with two halves: the device copies one while the host reads and packs the other.
#pragma once

#include "compute/atlas.h"

// Bytes of device memory that loading takes in addition to the atlas. GPU_TOO_MUCH if a limit of
// the device is exceeded.
uint64_t atlas_load_bytes(const struct gpu *gpu, const struct atlas *described);

// Loads the part params->cells into an atlas that can hold it, and computes the ranges of the
// bricks on the device. The first sample that is not finite, or is extreme, sets has_gaps or
// has_extremes: then kernels with the old constants must be created again. Otherwise buffers and
// constants do not change. On false the atlas must be loaded again before it is used.
bool atlas_load(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *atlas, struct problem *problem);

// Loads like atlas_load, but in small steps. The data that the source reads, or `volume` if there
// is no source, must outlive the loading. *out is NULL on false.
struct atlas_loading;
bool atlas_load_begin(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *atlas, struct atlas_loading **out, struct problem *problem);
// Works for about `ms` milliseconds at most; 0: to the end. *done: everything is loaded.
// PROBLEM_INTERRUPTED once `interrupted` is set. After false, or *done, call only atlas_load_end.
bool atlas_load_next(struct atlas_loading *loading, double ms, bool *done, struct problem *problem);
double atlas_load_share(const struct atlas_loading *loading); // loaded share, 0 to 1
void atlas_load_end(struct atlas_loading *loading);           // allowed at any time; takes NULL

// Calls atlas_make() and atlas_load().
bool atlas_create(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem);
