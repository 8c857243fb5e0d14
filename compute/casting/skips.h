// Two levels of cubes that rays may skip. A cube has its least and greatest sample
// (volumes/cubes.h) as two numbers of 16 bits that keep the order of keys.
#pragma once

#include "compute/atlas.h"
#include "volumes/cubes.h"

#define SKIPS_NOTHING 0xffff0000u // the word of a cube without a finite sample

// A fine cube has 2^shift cells a side; a coarse cube has four fine ones a side.
struct skips {
    uint32_t shift;
    uint32_t fine[3], coarse[3]; // cubes along x, y, z
    uint32_t words;              // number of cubes of both levels: a word each
    // A key is stored as (key - base) >> bits. `most` is the greatest key.
    uint32_t base, most, bits;
};

// Number of groups of 2^shift elements that `count` elements need.
uint32_t skips_above(uint32_t count, uint32_t shift);

// Sets the shape for `dim` samples of a volume that has `whole` samples. A fine cube has at least 4
// cells a side, at least as many as a cube of volumes/cubes.h, and enough that all words fit in a
// texel buffer of the device.
void skips_shape(
    const struct gpu *gpu, const uint32_t dim[3], const uint32_t whole[3], struct skips *out);

// Writes shape->words words, and sets base, most and bits. `cubes` are those of the whole volume.
// `atlas` has the volume, or a part with at most as many samples as the shape is for; of a part
// only its own cells count. False: out of memory.
bool skips_fill(
    struct skips *shape, const struct cubes *cubes, const struct atlas *atlas, uint32_t *words,
    struct problem *problem);

// Samples are inside if their key is at least `key`. A cube may have the surface if its least
// number is at most *most and its greatest one is at least *least.
void skips_key(const struct skips *shape, uint32_t key, uint32_t *most, uint32_t *least);
