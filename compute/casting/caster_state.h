// The kernel and the tree of one caster. All casters of a casting share its other buffers.
#pragma once

#include "compute/atlas.h"
#include "compute/casting/bvh.h"
#include "compute/casting/caster.h"
#include "compute/casting/skips.h"
#include "compute/casting/wavefront.h"

// Zero-initialised means empty.
struct caster_state {
    const struct caster *caster;
    struct kernel kernel;       // empty for casters in rounds
    struct tree tree;           // shape of the tree, if the caster has one
    struct buffer words;        // contents of the tree, see tree_fill
    struct bvh bvh;             // boxes of the tree, for CASTER_BVH
    struct wavefront wavefront; // for casters in rounds
};

// Bytes of device memory for a volume of `dim` samples along x, y, z. `method` and `pixels`, the
// pixels cast at a time, matter only to a caster in rounds. GPU_TOO_MUCH where a limit of the
// device is passed.
uint64_t caster_state_bytes(
    const struct gpu *gpu, const uint32_t dim[3], const struct skips *skips,
    const struct caster *caster, const struct method *method, uint32_t pixels);

// `cubes` has the words that skips_fill has written. NULL: the caller calls caster_state_fill
// later. `constants`: all specialization constants; those of the tree are set here. On false `out`
// is empty.
bool caster_state_create(
    struct gpu *gpu, const struct atlas *atlas, const struct skips *skips,
    const struct buffer *cubes, const struct caster *caster, const uint32_t constants[CONSTANTS],
    uint32_t pixels, struct caster_state *out, struct problem *problem);
// Fills the tree, if there is one, from `fine`: the words of the fine cubes that skips_fill wrote.
bool caster_state_fill(
    struct gpu *gpu, struct caster_state *state, const struct skips *skips, const uint32_t *fine,
    struct problem *problem);
void caster_state_destroy(struct gpu *gpu, struct caster_state *state);

// Binds the buffers of the tree and of the boxes, if there are any.
void caster_state_bind(const struct caster_state *state, struct binding table[BINDINGS]);

// Records what comes before the caster's kernel: the building of the boxes for the first contour.
void caster_state_record(
    struct caster_state *state, struct run *run, const struct binding table[BINDINGS]);
