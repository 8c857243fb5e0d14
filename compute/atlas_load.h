// Loads the samples of a volume, or of a part of it, into an atlas. The samples go through a
// staging buffer with two halves: the device copies one while the host reads and packs the other.
#pragma once

#include "compute/atlas.h"

// Device memory that loading takes beside the atlas. GPU_TOO_MUCH where it is more than a limit of
// the device.
uint64_t atlas_load_bytes(const struct gpu *gpu, const struct atlas *described);

// Loads the part that `params` says into an atlas that holds it, and computes the ranges of the
// bricks on the device. Buffers and constants stay the same unless the first sample is found that
// is not finite, or extreme: then has_gaps or has_extremes is set, and kernels with the old
// constants must be created again. On false the atlas must be loaded again before it is used.
bool atlas_load(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *atlas, struct problem *problem);

// The same in small steps. `volume` must outlive the loading if there is no source; what a source
// reads from must in any case. *out is NULL on false.
struct atlas_loading;
bool atlas_load_begin(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *atlas, struct atlas_loading **out, struct problem *problem);
// Works about `ms` milliseconds at most; 0: until the end. *done tells whether all is loaded.
// PROBLEM_INTERRUPTED once `interrupted` is set. After false, or *done, only atlas_load_end may
// follow.
bool atlas_load_next(struct atlas_loading *loading, double ms, bool *done, struct problem *problem);
double atlas_load_share(const struct atlas_loading *loading); // share that is loaded, 0 to 1
void atlas_load_end(struct atlas_loading *loading);           // at any time; takes NULL

// atlas_make() and atlas_load().
bool atlas_create(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem);
