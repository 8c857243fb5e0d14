// Ambient occlusion: how much light the surroundings of a surface leave it, see
// shaders/lib/occlusion.glsl. It depends only on the volume's cubes. So a surface that is made in
// parts gets the same light as one that is made at once.
#pragma once

#include "app/settings/plane.h"
#include "compute/gpu/descriptors.h"
#include "volumes/cubes.h"

#define LIGHT_SAMPLES 8 // rays by default

// Owned by the renderer.
struct light {
    struct buffer params;
    struct buffer solid;       // which share of each cube is solid, in LIGHT_LEVELS levels
    struct buffer filled;      // the same in host memory, which is copied there
    const struct cubes *cubes; // that `filled` was made from; NULL: none
    double iso;                // of `filled`
    struct cuts cuts;          // of `filled`
};

// What the occlusion of a scene depends on.
struct light_source {
    const struct cubes *cubes; // NULL: no occlusion
    double iso;                // of the surface that is drawn
    struct cuts cuts;          // what they remove takes no light
};

bool light_create(struct gpu *gpu, struct light *out, struct problem *problem);
void light_destroy(struct gpu *gpu, struct light *light);

// The device memory that light_fit allocates for a volume of `dim` samples along x, y, z.
uint64_t light_bytes(const struct gpu *gpu, const uint32_t dim[3]);

// Allocates the buffers for a volume with these cubes. No submission that uses the light may be in
// flight. On false there are no buffers, and light_fits is false.
bool light_fit(
    struct gpu *gpu, struct light *light, const struct cubes *cubes, struct problem *problem);

bool light_fits(const struct light *light, const struct cubes *cubes);

// Enters in `table` what shaders read of the light.
void light_bind(const struct light *light, struct binding table[BINDINGS]);

// Frees what light_fit took, light_held bytes. Other cubes at the same address need this before.
uint64_t light_held(const struct light *light);
void light_clear(struct gpu *gpu, struct light *light);

// Records the copies that later shaders of surfaces and hits need. `samples`: number of rays; 0:
// LIGHT_SAMPLES. Call it outside of rendering; light_fits must be true. What was recorded before
// with another source must have finished.
void light_record(
    struct light *light, VkCommandBuffer cmd, const struct light_source *source, uint32_t samples,
    const struct placement *placement);
