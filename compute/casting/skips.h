// What rays skip: a volume's cubes (volumes/cubes.h) in two levels, as numbers of 16 bits that keep
// the order of keys.
#pragma once

#include "compute/atlas.h"
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

// Cubes of 2^shift a side over `count` of them.
uint32_t skips_above(uint32_t count, uint32_t shift);

// The shape for so many samples of a volume that has `whole` of them. A fine cube has 4 cells a
// side, or as many as those of the volume's `cubes` have, or as it takes for the device's texel
// buffers.
void skips_shape(
    const struct gpu *gpu, const uint32_t dim[3], const uint32_t whole[3], struct skips *out);

// Writes the words, shape->words of them, and sets base, most and bits. The atlas has the volume of
// these cubes, or a part of it that has at most as many samples as the shape is for. Only its own
// cells are in cubes then. False: out of memory.
bool skips_fill(
    struct skips *shape, const struct cubes *cubes, const struct atlas *atlas, uint32_t *words,
    struct problem *problem);

// For a key that inside samples reach: a cube may have the surface if its least number is at most
// `most` and its greatest one is at least `least`.
void skips_key(const struct skips *shape, uint32_t key, uint32_t *most, uint32_t *least);
