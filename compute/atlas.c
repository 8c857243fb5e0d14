// A volume packed into 2D slices. Each layer is a grid of cols x rows tiles, and slice z is tile
// number z. A 2D array image and a texel buffer (row after row) have the same layout.

#include "compute/atlas.h"

#include "compute/gpu/transfer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t atlas_cols(uint32_t width, uint32_t height, uint32_t slices)
{
    const uint32_t cols = (uint32_t)ceil(sqrt((double)slices * height / width));
    return cols < slices ? cols : slices;
}

// Sets columns, rows and layers of slices; 0 layers if a slice exceeds the limit.
static void atlas_lay_out(const struct gpu *gpu, uint32_t max_extent, struct atlas *out)
{
    const bool image = out->storage == ATLAS_STORAGE_IMAGE;
    const uint32_t w = out->dim[0], h = out->dim[1], d = out->dim[2];
    const uint32_t real = gpu->properties.limits.maxImageDimension2D;
    const uint32_t limit = max_extent ? max_extent : image ? real : 0;
    const uint32_t per_block = (uint32_t)(16 / volume_type_size(out->type));
    out->tile_width = image ? w : (w + per_block - 1) / per_block * per_block;
    if (limit == 0) {
        // A buffer has no extent: one column of slices, so that addresses need no division.
        out->cols = 1;
        out->rows = d;
        out->layers = 1;
        return;
    }
    out->layers = 0;
    if (out->tile_width > limit || h > limit) {
        return;
    }
    // Make the grid about as wide as high, within the limit.
    const uint32_t cols = atlas_cols(out->tile_width, h, d), most = limit / out->tile_width;
    out->cols = cols < most ? cols : most;
    const uint32_t down = (d + out->cols - 1) / out->cols;
    out->rows = down < limit / h ? down : limit / h;
    out->layers = (d + out->cols * out->rows - 1) / (out->cols * out->rows);
}

uint64_t atlas_row_bytes(const struct atlas *atlas)
{
    return (uint64_t)atlas->cols * atlas->tile_width * volume_type_size(atlas->type);
}

static uint64_t atlas_sample_bytes(const struct atlas *atlas)
{
    return (uint64_t)atlas->rows * atlas->dim[1] * atlas->layers * atlas_row_bytes(atlas);
}

// Whether the device supports the storage, and the samples are within its limits.
static bool atlas_fits_limits(const struct gpu *gpu, const struct atlas *atlas)
{
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    if (atlas->storage == ATLAS_STORAGE_IMAGE) {
        return atlas->layers > 0 && atlas->layers <= limits->maxImageArrayLayers;
    }
    if (!gpu->texel_loads) {
        return false;
    }
    const uint64_t bytes = buffer_rounded(atlas_sample_bytes(atlas) + ATLAS_PADDING);
    return atlas->layers > 0 && bytes / 16 <= limits->maxTexelBufferElements &&
           bytes <= gpu->limits.buffer;
}

// Selects a storage: a texel buffer, or an image where the buffer cannot hold the volume. A row of
// samples takes two loads of 16 bytes from a buffer, but 33 texels from an image. By the figures of
// AMD's compiler, a buffer is 2.5 to 3.9 times as fast; on llvmpipe it is 5 to 10 times as fast.
static bool atlas_select_storage(
    const struct gpu *gpu, const struct atlas_params *params, struct atlas *out,
    struct problem *problem)
{
    const bool asked = params->storage != ATLAS_STORAGE_AUTO;
    out->storage = asked ? params->storage : ATLAS_STORAGE_BUFFER;
    atlas_lay_out(gpu, params->max_extent, out);
    if (!atlas_fits_limits(gpu, out) && !asked) {
        out->storage = ATLAS_STORAGE_IMAGE;
        atlas_lay_out(gpu, params->max_extent, out);
    }
    if (asked && out->storage == ATLAS_STORAGE_BUFFER && !gpu->texel_loads) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "this device does not load bytes, halves and words from texel buffers: keep the volume "
            "as an image");
    }
    if (!atlas_fits_limits(gpu, out)) {
        const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
        const uint32_t extent =
            params->max_extent ? params->max_extent : limits->maxImageDimension2D;
        return problem_set(
            problem, PROBLEM_LIMIT,
            "a volume of %ux%ux%u does not fit this device: it keeps %u blocks of 16 bytes in a "
            "texel buffer (maxTexelBufferElements), or slices in %u layers of %ux%u; split it or "
            "sample it coarser",
            out->dim[0], out->dim[1], out->dim[2],
            gpu->texel_loads ? limits->maxTexelBufferElements : 0, limits->maxImageArrayLayers,
            extent, extent);
    }
    out->keys_in_blocks = out->storage == ATLAS_STORAGE_BUFFER &&
                          atlas_sample_bytes(out) / volume_type_size(out->type) >
                              gpu->properties.limits.maxTexelBufferElements;
    return true;
}

static VkFormat atlas_key_format(enum volume_type type)
{
    switch (volume_type_size(type)) {
    case 1:
        return VK_FORMAT_R8_UINT;
    case 2:
        return VK_FORMAT_R16_UINT;
    default:
        return VK_FORMAT_R32_UINT;
    }
}

void atlas_bind(const struct atlas *atlas, struct binding table[BINDINGS])
{
    table[BINDING_RANGES] = (struct binding){ &atlas->ranges };
    table[BINDING_VALID_MASKS] = (struct binding){ atlas->gaps.handle ? &atlas->gaps : NULL };
    if (atlas->storage == ATLAS_STORAGE_IMAGE) {
        table[BINDING_SAMPLES] = (struct binding){ .image = &atlas->image };
        return;
    }
    // A kernel declares a view of each width and reads one. atlas_fits_limits has checked that this
    // view reaches every key. It may end within the padding.
    const uint32_t numbers[] = { BINDING_KEYS8, BINDING_KEYS16, BINDING_KEYS32,
                                 BINDING_KEY_BLOCKS };
    for (uint32_t view = 0; view < sizeof numbers / sizeof *numbers; view++) {
        table[numbers[view]] = (struct binding){ &atlas->samples, .view = view };
    }
}

// The slices (or rows) of samples that an atlas holds for some layers (or rows) of cells: `dim` of
// them from `base` on. The first and the last own one are counted from `base`.
struct held {
    uint32_t base, dim, own_first, own_last;
};

static struct held atlas_held_around(uint32_t first, uint32_t count, uint32_t dim)
{
    assert(count > 0 && count < dim && first < dim - count);
    const uint32_t last = first + count, base = first > 0 ? first - 1 : 0;
    return (struct held){
        .base = base,
        .dim = (last + 1 < dim ? last + 2 : dim) - base,
        .own_first = first - base,
        .own_last = last - base,
    };
}

// Widens the held slices to `count`: first upwards, then downwards.
static void atlas_hold_more(struct held *held, uint32_t count, uint32_t dim)
{
    if (held->dim >= count) {
        return;
    }
    const uint32_t after = dim - held->base - held->dim, more = count - held->dim;
    const uint32_t before = more > after ? more - after : 0;
    assert(before <= held->base);
    held->base -= before;
    held->dim = count;
    held->own_first += before;
    held->own_last += before;
}

void atlas_set_extent(
    struct atlas *out, const struct volume *volume, const struct atlas_part *cells)
{
    const uint32_t *dim = volume->dim;
    const bool cut = cells && cells->rows > 0; // the part has only some rows
    const struct held z = cells ? atlas_held_around(cells->first, cells->layers, dim[2])
                                : atlas_held_around(0, dim[2] - 1, dim[2]);
    struct held y = cut ? atlas_held_around(cells->first_row, cells->rows, dim[1])
                        : atlas_held_around(0, dim[1] - 1, dim[1]);
    if (cut) {
        atlas_hold_more(&y, cells->held_rows, dim[1]);
    }
    memcpy(out->whole, dim, sizeof out->whole);
    out->dim[0] = dim[0];
    out->dim[1] = y.dim;
    out->dim[2] = z.dim;
    out->base_y = y.base;
    out->base_z = z.base;
    out->own_y_first = y.own_first;
    out->own_y_last = y.own_last;
    out->own_first = z.own_first;
    out->own_last = z.own_last;
}

bool atlas_holds(
    const struct atlas *atlas, const struct volume *volume, const struct atlas_part *cells)
{
    struct atlas other = { 0 };
    atlas_set_extent(&other, volume, cells);
    return memcmp(atlas->whole, other.whole, sizeof other.whole) == 0 &&
           memcmp(atlas->dim, other.dim, sizeof other.dim) == 0 && atlas->type == volume->type &&
           atlas->own_y_first == other.own_y_first && atlas->own_y_last == other.own_y_last &&
           atlas->own_first == other.own_first && atlas->own_last == other.own_last;
}

bool atlas_describe(
    const struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem)
{
    *out = (struct atlas){
        .type = volume->type,
        .has_gaps = params->gaps,
        .has_extremes = params->extremes,
    };
    assert(volume->type < VOLUME_FLOAT64);
    atlas_set_extent(out, volume, params->cells);
    out->bricks[0] = (out->dim[0] + BRICK_X - 1) / BRICK_X;
    out->bricks[1] = (out->dim[1] + BRICK_Y - 1) / BRICK_Y;
    out->bricks[2] = (out->dim[2] + BRICK_Z - 1) / BRICK_Z;
    const uint64_t bricks = (uint64_t)out->bricks[0] * out->bricks[1] * out->bricks[2];
    if (bricks > MAX_BRICKS) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "a volume of %ux%ux%u is over the limit of %u bricks of %ux%ux%u samples (about "
            "1024^3): "
            "split it or sample it coarser",
            out->dim[0], out->dim[1], out->dim[2], MAX_BRICKS, BRICK_X, BRICK_Y, BRICK_Z);
    }
    out->brick_count = (uint32_t)bricks;
    return atlas_select_storage(gpu, params, out, problem);
}

static struct image_params atlas_image_params(const struct atlas *atlas)
{
    return (struct image_params){
        .name = "volume",
        .format = atlas_key_format(atlas->type),
        .width = atlas->cols * atlas->tile_width,
        .height = atlas->rows * atlas->dim[1],
        .layers = atlas->layers,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .purpose = PURPOSE_SAMPLES,
    };
}

static struct buffer_params atlas_samples_params(const struct atlas *atlas)
{
    return (struct buffer_params){
        .name = "volume",
        .size = atlas_sample_bytes(atlas) + ATLAS_PADDING,
        .purpose = PURPOSE_SAMPLES,
        .texels = { VK_FORMAT_R8_UINT, VK_FORMAT_R16_UINT, VK_FORMAT_R32_UINT,
                    VK_FORMAT_R32G32B32A32_UINT },
        .samples = true,
    };
}

static struct buffer_params atlas_ranges_params(const struct atlas *atlas)
{
    return (struct buffer_params){
        .name = "brick ranges",
        .size = (uint64_t)atlas->brick_count * 8,
        .purpose = PURPOSE_RANGES,
        .texels = { VK_FORMAT_R32G32_UINT },
    };
}

static struct buffer_params atlas_valid_masks_params(const struct atlas *atlas)
{
    return (struct buffer_params){
        .name = "valid masks",
        .size = (uint64_t)atlas->brick_count * BRICK_ROWS * 16,
        .purpose = PURPOSE_RANGES,
    };
}

uint64_t atlas_bytes(const struct gpu *gpu, const struct atlas *described)
{
    const struct image_params image = atlas_image_params(described);
    const struct buffer_params samples = atlas_samples_params(described);
    const struct buffer_params ranges = atlas_ranges_params(described);
    const struct buffer_params valid_masks = atlas_valid_masks_params(described);
    return (described->storage == ATLAS_STORAGE_IMAGE ? image_bytes(gpu, &image)
                                                      : buffer_bytes(gpu, &samples)) +
           buffer_bytes(gpu, &ranges) + (described->has_gaps ? buffer_bytes(gpu, &valid_masks) : 0);
}

bool atlas_make(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem)
{
    if (!atlas_describe(gpu, volume, params, out, problem)) {
        goto fail;
    }
    const uint64_t bytes = atlas_sample_bytes(out), have = gpu_memory_free(gpu);
    if (bytes > have) {
        problem_set(
            problem, PROBLEM_DEVICE_MEMORY,
            "not enough device memory for the volume: %.1f MiB needed, %.1f MiB free",
            (double)bytes / 1048576, (double)have / 1048576);
        goto fail;
    }
    const struct image_params image = atlas_image_params(out);
    const struct buffer_params samples = atlas_samples_params(out);
    const struct buffer_params ranges = atlas_ranges_params(out);
    if (!(out->storage == ATLAS_STORAGE_IMAGE
              ? image_create(gpu, &image, &out->image, problem)
              : buffer_create(gpu, &samples, &out->samples, problem)) ||
        !buffer_create(gpu, &ranges, &out->ranges, problem)) {
        goto fail;
    }
    return true;
fail:
    atlas_destroy(gpu, out);
    return false;
}

bool atlas_make_valid_masks(struct gpu *gpu, struct atlas *atlas, struct problem *problem)
{
    const struct buffer_params params = atlas_valid_masks_params(atlas);
    return atlas->gaps.handle || buffer_create(gpu, &params, &atlas->gaps, problem);
}

bool atlas_range(
    struct gpu *gpu, const struct atlas *atlas, uint32_t range[2], struct problem *problem)
{
    const uint64_t bytes = (uint64_t)atlas->brick_count * 8;
    uint32_t(*ranges)[2] = malloc(bytes);
    if (!ranges) {
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory reading the bricks' ranges");
    }
    const bool ok = transfer_download(gpu, &atlas->ranges, 0, ranges, bytes, problem);
    range[0] = UINT32_MAX;
    range[1] = 0;
    for (uint32_t i = 0; ok && i < atlas->brick_count; i++) {
        range[0] = ranges[i][0] < range[0] ? ranges[i][0] : range[0];
        range[1] = ranges[i][1] > range[1] ? ranges[i][1] : range[1];
    }
    free(ranges);
    return ok;
}

void atlas_destroy(struct gpu *gpu, struct atlas *atlas)
{
    kernel_destroy(gpu, &atlas->ranges_kernel);
    kernel_destroy(gpu, &atlas->gaps_kernel);
    image_destroy(gpu, &atlas->image);
    buffer_destroy(gpu, &atlas->samples);
    buffer_destroy(gpu, &atlas->ranges);
    buffer_destroy(gpu, &atlas->gaps);
    *atlas = (struct atlas){ 0 };
}

void atlas_constants(const struct atlas *atlas, uint32_t constants[CONSTANTS])
{
    // Compaction sets the constants that are left 0 here.
    memset(constants, 0, CONSTANTS * sizeof *constants);
    constants[CONSTANT_DIM_X] = atlas->dim[0];
    constants[CONSTANT_DIM_Y] = atlas->dim[1];
    constants[CONSTANT_DIM_Z] = atlas->dim[2];
    constants[CONSTANT_TILE_WIDTH] = atlas->tile_width;
    constants[CONSTANT_COLS] = atlas->cols;
    constants[CONSTANT_ROWS] = atlas->rows;
    constants[CONSTANT_LAYERS] = atlas->layers;
    constants[CONSTANT_TYPE] = atlas->type;
    constants[CONSTANT_KEYS_IN_BLOCKS] = atlas->keys_in_blocks;
    constants[CONSTANT_HAS_INVALID] = atlas->has_gaps;
    constants[CONSTANT_EXTREMES] = atlas->has_extremes;
    constants[CONSTANT_OWN_FIRST] = atlas->own_first;
    constants[CONSTANT_OWN_LAST] = atlas->own_last;
    constants[CONSTANT_OWN_Y_FIRST] = atlas->own_y_first;
    constants[CONSTANT_OWN_Y_LAST] = atlas->own_y_last;
}
