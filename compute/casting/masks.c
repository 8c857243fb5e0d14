#include "compute/casting/masks.h"

#include "compute/casting/counter.h"
#include "shaders.h"
#include "shaders/shared/casting.h"

#include <string.h>

#define STRIP       64 // fine cubes
#define STRIP_SIZE  8  // bytes of a strip, and of the leaps of half a strip in one direction
#define STRIP_LEAPS 16

// Number of fine cubes along an axis with `dim` samples.
static uint32_t masks_cubes(uint32_t dim)
{
    return (dim - 1 + 3) / 4;
}

static uint64_t masks_fine(const uint32_t dim[3])
{
    return (uint64_t)masks_cubes(dim[0]) * masks_cubes(dim[1]) * masks_cubes(dim[2]);
}

static uint64_t masks_strips(const uint32_t dim[3])
{
    const uint32_t along = (masks_cubes(dim[0]) + STRIP - 1) / STRIP;
    return (uint64_t)along * masks_cubes(dim[1]) * masks_cubes(dim[2]);
}

static void masks_params(const uint32_t dim[3], struct buffer_params out[MASKS_BUFFERS])
{
    static const uint32_t brick[3] = { BRICK_X, BRICK_Y, BRICK_Z };
    uint64_t bricks = 1;
    for (int i = 0; i < 3; i++) {
        bricks *= (dim[i] + brick[i] - 1) / brick[i];
    }
    const struct buffer_params all[MASKS_BUFFERS] = {
        [MASKS_BITS] = { .name = "masks",
                         .size = masks_fine(dim) * 8 +
                                 masks_strips(dim) * (1 + STRIP_LEAPS) * STRIP_SIZE,
                         .texels = { VK_FORMAT_R32G32_UINT },
                         .samples = true },
        [MASKS_LIST] = { .name = "bricks of masks",
                         .size = bricks * 4,
                         .texels = { VK_FORMAT_R32_UINT } },
        [MASKS_COUNT] = { .name = "count of bricks of masks",
                          .size = sizeof(struct raised_counter) },
    };
    memcpy(out, all, sizeof all);
}

uint64_t masks_bytes(const struct gpu *gpu, const uint32_t dim[3])
{
    struct buffer_params params[MASKS_BUFFERS];
    masks_params(dim, params);
    return buffers_bytes(gpu, params, MASKS_BUFFERS);
}

static bool masks_make_kernels(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct masks *masks, struct problem *problem)
{
    const bool image = atlas->storage == ATLAS_STORAGE_IMAGE;
    const struct shader *const cells[2][2] = {
        { &shader_cast_masks_buffer, &shader_cast_masks_image },
        { &shader_cast_masks_folded_buffer, &shader_cast_masks_folded_image },
    };
    const struct shader *squares = image ? &shader_cast_squares_image : &shader_cast_squares_buffer;
    const struct kernel_row rows[MASKS_KERNELS] = {
        [MASKS_BRICKS] = { "bricks of masks", &shader_cast_mask_bricks },
        [MASKS_CELLS] = { "masks", cells[gpu->traits->folds][image] },
        [MASKS_SQUARES] = { "squares", squares },
        [MASKS_LEAPS] = { "squares and leaps", squares },
    };
    uint32_t own[CONSTANTS];
    memcpy(own, constants, sizeof own);
    if (!kernels_create(gpu, rows, MASKS_LEAPS, own, masks->kernels, problem)) {
        return false;
    }
    own[CONSTANT_LEAPS] = 1;
    return kernels_create(gpu, &rows[MASKS_LEAPS], 1, own, &masks->kernels[MASKS_LEAPS], problem);
}

bool masks_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct masks *out, struct problem *problem)
{
    struct buffer_params params[MASKS_BUFFERS];
    *out = (struct masks){ 0 };
    masks_params(atlas->dim, params);
    memcpy(out->dim, atlas->dim, sizeof out->dim);
    // With samples in a buffer, masks are texels. They fit: there are fewer than blocks of samples.
    const uint64_t size = params[MASKS_BITS].size;
    const uint64_t most = gpu->properties.limits.maxStorageBufferRange;
    const bool fits =
        atlas->storage != ATLAS_STORAGE_IMAGE || size <= most ||
        problem_set(
            problem, PROBLEM_LIMIT,
            "the masks of cells would take %llu bytes, one storage buffer of this device "
            "holds %llu: draw triangles, or reduce the volume (cubist convert --stride 2)",
            (unsigned long long)size, (unsigned long long)most);
    if (!fits ||
        !buffers_create(gpu, params, MASKS_BUFFERS, PURPOSE_PICTURE, out->buffers, problem) ||
        !masks_make_kernels(gpu, atlas, constants, out, problem)) {
        masks_destroy(gpu, out);
        return false;
    }
    return true;
}

void masks_destroy(struct gpu *gpu, struct masks *masks)
{
    kernels_destroy(gpu, masks->kernels, MASKS_KERNELS);
    buffers_destroy(gpu, masks->buffers, MASKS_BUFFERS);
    *masks = (struct masks){ 0 };
}

void masks_bind(const struct masks *masks, struct binding table[BINDINGS])
{
    table[BINDING_CELL_MASKS] = (struct binding){ &masks->buffers[MASKS_BITS] };
    table[BINDING_MASK_WORDS] = (struct binding){ &masks->buffers[MASKS_BITS] };
    table[BINDING_BRICKS] = (struct binding){ &masks->buffers[MASKS_LIST] };
    table[BINDING_BRICKS_COUNTER] = (struct binding){ &masks->buffers[MASKS_COUNT] };
}

void masks_record(
    struct masks *masks, struct run *run, const struct atlas *atlas, const struct buffer *contours,
    const struct contours_block *block)
{
    uint32_t keys[CONTOURS_MOST];
    for (int i = 0; i < CONTOURS_MOST; i++) {
        keys[i] = block->list[i].iso.key;
    }
    if (masks->made && masks->count == block->count && !memcmp(masks->keys, keys, sizeof keys)) {
        return;
    }
    const struct buffer *buffers = masks->buffers;
    const bool folds = run->gpu->traits->folds;
    const struct masks_push push = { .bricks = atlas->brick_count, .last = atlas->dim[2] - 1 };
    struct binding table[BINDINGS] = { [BINDING_CONTOURS] = { contours } };
    uint32_t groups[2];
    atlas_bind(atlas, table);
    masks_bind(masks, table);
    counter_record_none(run, &buffers[MASKS_COUNT], atlas->brick_count, GROUP, GROUP / MASK_CUBES);
    masks->strips = (uint32_t)masks_strips(masks->dim);
    run_fill(
        run, &buffers[MASKS_BITS], masks_fine(masks->dim) * 8, (uint64_t)masks->strips * STRIP_SIZE,
        0);
    run_fold(push.bricks, GROUP, groups);
    run_dispatch(
        run, &masks->kernels[folds ? MASKS_CELLS : MASKS_BRICKS], table, &push, groups[0],
        groups[1], 1);
    if (!folds) {
        run_dispatch_indirect(
            run, &masks->kernels[MASKS_CELLS], table, &push, &buffers[MASKS_COUNT], COUNTER_FIRST);
    }
    memcpy(masks->keys, keys, sizeof keys);
    masks->count = block->count;
    masks->made = false;
}

void masks_record_squares(
    struct masks *masks, struct run *run, const struct binding table[BINDINGS], uint32_t across,
    uint32_t down)
{
    const struct squares_push push = { across, down, masks->strips };
    struct kernel *kernel = &masks->kernels[push.strips > 0 ? MASKS_LEAPS : MASKS_SQUARES];
    const uint64_t squares = (uint64_t)across * down;
    uint32_t groups[2];
    run_fold(squares > push.strips ? squares : push.strips, GROUP, groups);
    run_dispatch(run, kernel, table, &push, groups[0], groups[1], 1);
    masks->strips = 0;
}

void masks_done(struct masks *masks)
{
    masks->made = true;
}
