// Which cells an isovalue meets, and how far rays may leap beside them, on the device
// (shaders/lib/cell_masks.glsl). They are made from the samples when the isovalue changes.
#pragma once

#include "compute/atlas.h"
#include "compute/gpu/run.h"

enum masks_kernel {
    MASKS_BRICKS,
    MASKS_ARRANGE,
    MASKS_ARRANGE_CUBES,
    MASKS_CELLS,
    MASKS_LEAPS,
    MASKS_KERNELS
};
enum masks_buffer {
    MASKS_BITS,      // 8 bytes per fine cube: its cells; then strips of fine cubes, and their leaps
    MASKS_LIST,      // bricks that the isovalue meets
    MASKS_COUNT,     // struct list_counter
    MASKS_ARGUMENTS, // to dispatch over the list
    MASKS_CUBES,     // to dispatch over its fine cubes, MASK_CUBES lanes for each brick
    MASKS_BUFFERS
};

// Zero-initialised means empty.
struct masks {
    struct kernel kernels[MASKS_KERNELS];
    struct buffer buffers[MASKS_BUFFERS];
    uint32_t dim[3]; // samples of the volume, or part, that they are for; a part may have fewer
    uint32_t key;    // of the isovalue that they were recorded for last
    bool made;       // and that is done
};

// Device memory for a volume of so many samples along x, y, z. GPU_TOO_MUCH where it is more than a
// limit of the device.
uint64_t masks_bytes(const struct gpu *gpu, const uint32_t dim[3]);

// `atlas` is of the size that they are for; `constants` are those of its kernels. PROBLEM_LIMIT:
// the masks of an image are more than a storage buffer can hold. On false `out` is empty.
bool masks_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct masks *out, struct problem *problem);
void masks_destroy(struct gpu *gpu, struct masks *masks);

// Sets what kernels read of the masks and the list.
void masks_bind(const struct masks *masks, struct binding table[BINDINGS]);

// Records what makes the masks of an atlas for the first contour, unless they are made for it. Its
// isovalue has this key. `contours`: the contours_block.
void masks_record(
    struct masks *masks, struct run *run, const struct atlas *atlas, const struct buffer *contours,
    uint32_t key);

// After the fence of the command buffer of the last masks_record.
void masks_done(struct masks *masks);
