// Compares what rays of the device meet with what the reference meets, layer by layer where
// contours are transparent.
#pragma once

#include "compute/casting/casting.h"
#include "compute/reference/cast.h"

// How the hits of a caster compare with those of the reference. Each number counts rays; a ray that
// differs is not compared in the layers behind.
struct compared {
    uint64_t missed, surplus;      // only the reference hits; only the caster hits
    uint64_t elsewhere;            // they hit different places
    uint64_t depths, cells, sides; // the depth, cell or side is wrong
    uint64_t contours;             // the contour is wrong
    uint64_t again;                // a second run gives other bytes
    uint64_t apart;                // the first way gives other bytes
    uint64_t hits;                 // of the caster, in all layers
    double worst;                  // largest error along the ray, in voxels
    uint64_t at;                   // a ray where a hit is missing, surplus or off
};

// The rays of a band, and what the reference meets. Zero-initialised means empty.
struct verify_hits {
    const struct volume *volume;
    const struct casting *casting;
    const struct cast *cast; // of the band
    struct reference_contours contours;
    uint32_t most; // the most hits of a ray that are compared
    struct reference_ray *rays;
    struct reference_crossing *expected; // of ray i from i * most on
    uint32_t *counts;
    bool *touches; // rounding may decide what the ray meets, see reference_places
    // Behind the hits of the device that were compared: the share of the light that is left, or a
    // negative number if the ray has ended; and the last hit's t.
    float *light, *after;
};

// Makes arrays for `pixels` rays, `out->most` hits each. On false verify_hits_destroy follows.
bool verify_hits_create(struct verify_hits *out, uint64_t pixels, struct problem *problem);
void verify_hits_destroy(struct verify_hits *hits);

// Casts the first `count` rays of the band by the reference.
void verify_hits_expect(struct verify_hits *hits, uint64_t count);

// Compares a layer of the band; the layers of a run follow each other from 0 on. `found`: its hits,
// CAST_NOTHING where a ray has no hit in this layer.
void verify_hits_compare(
    struct verify_hits *hits, const struct cast_hit *found, uint32_t layer, uint64_t count,
    struct compared *compared);
