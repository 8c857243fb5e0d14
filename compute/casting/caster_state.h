// What one caster needs beside the buffers that all casters of a casting share: its kernel and its
// tree.
#pragma once

#include "compute/atlas.h"
#include "compute/casting/bvh.h"
#include "compute/casting/caster.h"
#include "compute/casting/skips.h"
#include "compute/casting/wavefront.h"

// Zero-initialised means empty.
struct caster_state {
    const struct caster *caster;
    struct kernel kernel;       // if it is a single one
    struct tree tree;           // of casters that have one
    struct buffer words;        // of the tree
    struct bvh bvh;             // of casters that have one
    struct wavefront wavefront; // of casters in rounds
};

// Device memory for a volume of so many samples along x, y, z, with these skips; of a caster in
// rounds for this method and so many pixels at a time. GPU_TOO_MUCH where it is more than a limit
// of the device.
uint64_t caster_state_bytes(
    const struct gpu *gpu, const uint32_t dim[3], const struct skips *skips,
    const struct caster *caster, const struct method *method, uint32_t pixels);

// `cubes` has the words that skips_fill has written; NULL: caster_state_fill follows. `constants`
// are all CONSTANTS, of which those of the tree are set here. On false `out` is empty.
bool caster_state_create(
    struct gpu *gpu, const struct atlas *atlas, const struct skips *skips,
    const struct buffer *cubes, const struct caster *caster, const uint32_t constants[CONSTANTS],
    uint32_t pixels, struct caster_state *out, struct problem *problem);
// Makes the tree anew, if it has one, from these words of skips_fill.
bool caster_state_fill(
    struct gpu *gpu, struct caster_state *state, const struct skips *skips, const uint32_t *fine,
    struct problem *problem);
void caster_state_destroy(struct gpu *gpu, struct caster_state *state);

// Enters its buffers in a table.
void caster_state_bind(const struct caster_state *state, struct binding table[BINDINGS]);

// Records what comes before the caster's kernel: the boxes are made for the first contour.
void caster_state_record(
    struct caster_state *state, struct run *run, const struct binding table[BINDINGS]);
