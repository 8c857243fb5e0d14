// Masks on the device: which cells an isovalue meets, and how far rays may leap over cells that it
// misses (shaders/lib/cell_masks.glsl). They are computed again when the isovalue changes.
#pragma once

#include "compute/atlas.h"
#include "compute/gpu/run.h"
#include "shaders/shared/casting.h"

enum masks_kernel { MASKS_BRICKS, MASKS_CELLS, MASKS_SQUARES, MASKS_LEAPS, MASKS_KERNELS };
enum masks_buffer {
    MASKS_BITS, // 8 bytes per fine cube, a bit per cell; then strips of fine cubes; then leaps
    MASKS_LIST, // bricks that the isovalue meets
    // struct raised_counter of MASKS_LIST: a lane for each brick; MASK_CUBES lanes for each brick
    MASKS_COUNT,
    MASKS_BUFFERS
};

// Zero-initialised means empty.
struct masks {
    struct kernel kernels[MASKS_KERNELS];
    struct buffer buffers[MASKS_BUFFERS];
    uint32_t dim[3]; // samples along x, y, z that the masks can cover; a part may have fewer
    // Keys of the isovalues that masks were last recorded for, and their number.
    uint32_t keys[CONTOURS_MOST], count;
    bool made;       // the recorded work has run
    uint32_t strips; // whose leaps masks_record_squares has to record; 0 if they are there
};

// Bytes of device memory for `dim` samples along x, y, z. GPU_TOO_MUCH where this is more than a
// limit of the device.
uint64_t masks_bytes(const struct gpu *gpu, const uint32_t dim[3]);

// `atlas` has the size that the masks are for; `constants` are those of its kernels. PROBLEM_LIMIT:
// the atlas is an image, and its masks do not fit in a storage buffer. On false `out` is empty.
bool masks_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct masks *out, struct problem *problem);
void masks_destroy(struct gpu *gpu, struct masks *masks);

// Binds the masks and the list of bricks for the kernels that read them.
void masks_bind(const struct masks *masks, struct binding table[BINDINGS]);

// Records the computation of the masks of `atlas` for all contours of `block`, which the buffer
// `contours` holds. Does nothing if the masks for these isovalues are made. It does not compute
// the leaps: masks_record_squares does.
void masks_record(
    struct masks *masks, struct run *run, const struct atlas *atlas, const struct buffer *contours,
    const struct contours_block *block);

// Records one dispatch. It lists those of the across * down squares that have a span. If
// masks_record has recorded new masks since the last call, it also computes their leaps. `table`
// has the spans, the squares and their counter, and the masks.
void masks_record_squares(
    struct masks *masks, struct run *run, const struct binding table[BINDINGS], uint32_t across,
    uint32_t down);

// Call it after the fence of the last masks_record: the masks are made.
void masks_done(struct masks *masks);
