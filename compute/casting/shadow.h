// The soft shadow of the key light, by rays from the hits of a cast (shaders/lib/shadow_ray.glsl).
#pragma once

#include "compute/atlas.h"
#include "compute/casting/edges.h"
#include "compute/gpu/run.h"
#include "shaders/shared/casting.h"

enum shadow_kernel {
    SHADOW_HITS,  // casts rays from the hits to the light
    SHADOW_MEAN,  // computes the shadow of each hit
    SHADOW_EDGES, // computes the shadow of each sample at edges
    SHADOW_KERNELS
};

// Zero-initialised means that no cast has a shadow.
struct shadow {
    struct kernel kernels[SHADOW_KERNELS];
    struct buffer shades; // per pixel with a hit: which of its rays reach the light, as bits
};

// Bytes of device memory for a cast of `pixels` pixels.
uint64_t shadow_bytes(const struct gpu *gpu, uint32_t pixels);

// `constants`: the specialization constants of a cast's kernels. `out` is empty, or has kernels but
// no shades; then the kernels are kept. On false `out` is empty.
bool shadow_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    uint32_t pixels, struct shadow *out, struct problem *problem);

// Frees the device memory, but not the kernels, because they take a while to make.
void shadow_free_shades(struct gpu *gpu, struct shadow *shadow);

// Makes the kernels again, for other constants. The buffer is kept; without one, the kernels are
// only destroyed.
bool shadow_turn(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct shadow *shadow, struct problem *problem);
void shadow_destroy(struct gpu *gpu, struct shadow *shadow);

// Records the reset of the shades, after the points of the hits: no ray has met the surface yet.
void shadow_record_clear(const struct shadow *shadow, struct run *run, uint64_t pixels);

// Records one kernel of the shadow. The order is shadow_record_clear, SHADOW_HITS (in parts, for
// each part), SHADOW_MEAN. SHADOW_EDGES comes after the samples at edges. `table`: the bindings of
// a cast, with its masks. `counter`: struct raised_counter of the hits; for SHADOW_EDGES, of the
// samples.
void shadow_record(
    struct shadow *shadow, enum shadow_kernel which, struct run *run,
    const struct binding table[BINDINGS], const struct shadow_push *push,
    const struct buffer *counter);
