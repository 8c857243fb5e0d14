// The soft shadow of the key light, by rays from the hits of a cast (shaders/lib/shadow_ray.glsl).
#pragma once

#include "compute/atlas.h"
#include "compute/casting/edges.h"
#include "compute/gpu/run.h"
#include "shaders/shared/casting.h"

enum shadow_kernel {
    SHADOW_HITS,  // the rays of hits to the light
    SHADOW_MEAN,  // what the hits get
    SHADOW_EDGES, // what samples of pixels at edges get
    SHADOW_KERNELS
};

// Zero-initialised means that no cast has a shadow.
struct shadow {
    struct kernel kernels[SHADOW_KERNELS];
    struct buffer shades; // per pixel with a hit: which of its rays reach the light, as bits
};

// Device memory for a cast of so many pixels.
uint64_t shadow_bytes(const struct gpu *gpu, uint32_t pixels);

// `constants`: all CONSTANTS that the kernels of a cast need. `out`: empty, or without shades,
// whose kernels stay. On false it is empty.
bool shadow_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    uint32_t pixels, struct shadow *out, struct problem *problem);

// Frees all device memory, but no kernels, which take a while to make.
void shadow_free_shades(struct gpu *gpu, struct shadow *shadow);

// Makes the kernels anew, for parts of another shape. The buffer stays.
bool shadow_turn(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct shadow *shadow, struct problem *problem);
void shadow_destroy(struct gpu *gpu, struct shadow *shadow);

// Records, after the points of the hits: no ray has met the surface yet.
void shadow_record_clear(const struct shadow *shadow, struct run *run, uint64_t pixels);

// Records one kernel of the shadow: after shadow_record_clear, SHADOW_HITS (in parts, for each
// part), then SHADOW_MEAN. `table`: what a cast's kernels access, its masks too. `arguments`: to
// dispatch over the list of hits; of SHADOW_EDGES, which follows the samples of pixels at edges,
// over those.
void shadow_record(
    struct shadow *shadow, enum shadow_kernel which, struct run *run,
    const struct binding table[BINDINGS], const struct shadow_push *push,
    const struct buffer *arguments);
