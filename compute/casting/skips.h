// What rays skip: a volume's cubes (volumes/cubes.h) in two levels, as numbers of 16 bits that keep
// the order of keys.
#pragma once

#include "compute/gpu/gpu.h"
#include "volumes/cubes.h"

#define SKIPS_NOTHING 0xffff0000u // the word of a cube without a finite sample

// The levels of a volume: cubes of 2^shift cells a side, four of these a side in the coarse level.
struct skips {
    uint32_t shift;
    uint32_t fine[3], coarse[3]; // cubes along x, y, z
    uint32_t words;              // of both levels
    // A key is stored as (key - base) >> bits.
    uint32_t base, most, bits;
};

// The shape for a volume of so many samples. A fine cube has 4 cells a side, or as many as it takes
// to have as few cubes as `cubes` and the device's texel buffers have.
void skips_shape(const struct gpu *gpu, const uint32_t dim[3], struct skips *out);

// Writes the words, shape->words of them, and sets base, most and bits. False: out of memory.
bool skips_fill(
    struct skips *shape, const struct cubes *cubes, enum volume_type type, uint32_t *words,
    struct problem *problem);

// For a key that inside samples reach: a cube may have the surface if its least number is at most
// `most` and its greatest one is at least `least`.
void skips_key(const struct skips *shape, uint32_t key, uint32_t *most, uint32_t *least);
