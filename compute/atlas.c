// A volume packed into 2D slices. Slice z is tile z of a grid of cols x rows tiles per layer. A 2D
// array image and a texel buffer (row after row) have the same layout.

#include "compute/atlas.h"

#include "compute/atlas_keys.h"
#include "compute/gpu/run.h"
#include "compute/gpu/transfer.h"
#include "shaders.h"
#include "volumes/base/clock.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    // About as wide as high, within the limit.
    const double square = sqrt((double)d * h / out->tile_width);
    uint32_t cols = (uint32_t)ceil(square);
    cols = cols > limit / out->tile_width ? limit / out->tile_width : cols;
    out->cols = cols < 1 ? 1 : cols > d ? d : cols;
    const uint32_t down = (d + out->cols - 1) / out->cols;
    out->rows = down < limit / h ? down : limit / h;
    out->layers = (d + out->cols * out->rows - 1) / (out->cols * out->rows);
}

// Whether the device has the storage, and the samples fit what it can hold.
static bool atlas_fits_limits(const struct gpu *gpu, const struct atlas *atlas)
{
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    if (atlas->storage == ATLAS_STORAGE_IMAGE) {
        return atlas->layers > 0 && atlas->layers <= limits->maxImageArrayLayers;
    }
    if (!gpu->texel_loads) {
        return false;
    }
    const uint64_t keys =
        (uint64_t)atlas->cols * atlas->tile_width * atlas->rows * atlas->dim[1] * atlas->layers;
    return atlas->layers > 0 && keys <= limits->maxTexelBufferElements &&
           buffer_rounded(keys * volume_type_size(atlas->type) + ATLAS_PADDING) <=
               gpu->limits.buffer;
}

// Selects a storage: a texel buffer, or an image where the buffer cannot hold the volume. AMD's
// compiler rates the buffer 2.5 to 3.9 times as fast where rows of samples are read, and on
// llvmpipe it is 5 to 10 times as fast: a row of samples is two loads of 16 bytes, in an image 33
// texels.
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
            "a volume of %ux%ux%u does not fit this device: it keeps %u samples in a texel buffer, "
            "or slices in %u layers of %ux%u; split it or sample it coarser",
            out->dim[0], out->dim[1], out->dim[2],
            gpu->texel_loads ? limits->maxTexelBufferElements : 0, limits->maxImageArrayLayers,
            extent, extent);
    }
    return true;
}

static void atlas_image_barrier(
    VkCommandBuffer cmd, const struct image *image, VkImageLayout from, VkImageLayout to)
{
    const bool start = from == VK_IMAGE_LAYOUT_UNDEFINED;
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = start ? 0 : VK_PIPELINE_STAGE_2_COPY_BIT,
        .srcAccessMask = start ? 0 : VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = start ? VK_PIPELINE_STAGE_2_COPY_BIT : VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        .dstAccessMask =
            start ? VK_ACCESS_2_TRANSFER_WRITE_BIT : VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->handle,
        .subresourceRange = {
            .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
            .levelCount = 1,
            .layerCount = image->layers,
        },
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(cmd, &info);
}

static bool atlas_transition(
    struct gpu *gpu, const struct image *image, VkImageLayout from, VkImageLayout to,
    struct problem *problem)
{
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    atlas_image_barrier(cmd, image, from, to);
    return gpu_submit_and_wait(gpu, cmd, problem);
}

// The staging buffer has two halves: the device copies one while the host reads and packs slices
// into the other.
#define HALVES        2
#define STAGING_BYTES ((uint64_t)16 << 20) // of all halves
#define READ_BYTES    ((uint64_t)4 << 20)  // bytes that are read from a source at a time

static uint64_t atlas_row_bytes(const struct atlas *atlas)
{
    return (uint64_t)atlas->cols * atlas->tile_width * volume_type_size(atlas->type);
}

// Bytes of a slice of the volume; the atlas may hold only some of its rows.
static uint64_t atlas_slice_bytes(const struct atlas *atlas)
{
    return (uint64_t)atlas->whole[0] * atlas->whole[1] * volume_type_size(atlas->type);
}

// Atlas rows that are packed and copied at a time.
static uint32_t atlas_rows_per_copy(const struct atlas *atlas)
{
    const uint32_t half = (atlas->rows * atlas->dim[1] + HALVES - 1) / HALVES;
    const uint64_t fitting = STAGING_BYTES / HALVES / atlas_row_bytes(atlas);
    return fitting < 1 ? 1 : fitting < half ? (uint32_t)fitting : half;
}

static uint64_t atlas_half_bytes(const struct atlas *atlas)
{
    return atlas_rows_per_copy(atlas) * atlas_row_bytes(atlas);
}

static struct buffer_params atlas_staging_params(const struct atlas *atlas)
{
    return (struct buffer_params){
        .name = "staging buffer",
        .size = HALVES * atlas_half_bytes(atlas),
        .memory = BUFFER_UPLOAD,
        .purpose = PURPOSE_STAGING,
    };
}

uint64_t atlas_staging_bytes(const struct gpu *gpu, const struct atlas *described)
{
    const struct buffer_params params = atlas_staging_params(described);
    return buffer_bytes(gpu, &params);
}

// Slices of the whole volume in host memory, from the atlas's slice `first` on.
struct atlas_window {
    const void *samples;
    uint32_t first;
};

// Packs `count` atlas rows of one layer from row `first` on, as keys; tiles without a slice are 0.
// The window must have the slices of these rows.
static void atlas_pack_rows(
    const struct atlas *atlas, const struct atlas_window *window, uint32_t layer, uint32_t first,
    uint32_t count, void *to, struct atlas_packing *packing)
{
    const size_t size = volume_type_size(atlas->type);
    const uint64_t row_bytes = atlas->dim[0] * size;
    char *out = to;
    for (uint32_t v = first; v < first + count; v++) {
        const uint32_t y = atlas->base_y + v % atlas->dim[1];
        for (uint32_t col = 0; col < atlas->cols; col++) {
            const uint64_t z =
                ((uint64_t)layer * atlas->rows + v / atlas->dim[1]) * atlas->cols + col;
            memset(out, 0, atlas->tile_width * size);
            if (z < atlas->dim[2]) {
                const uint64_t row = (z - window->first) * atlas->whole[1] + y;
                atlas_keys_pack(
                    atlas->type, (const char *)window->samples + row * row_bytes, atlas->dim[0],
                    out, packing);
            }
            out += atlas->tile_width * size;
        }
    }
}

// A load in progress, and the slices that it has in memory.
struct atlas_loading {
    struct gpu *gpu;
    struct atlas *atlas;
    struct atlas_source source; // read NULL: the volume's samples
    struct buffer staging;
    VkCommandBuffer copies[HALVES]; // that are in flight; NULL: none
    uint32_t half;                  // which is filled next
    struct atlas_window window;
    uint32_t window_end; // slice after the window's last
    void *room;          // for slices that come from a source
    struct atlas_packing packing;
    uint32_t layer, row; // of the atlas: what is copied next
    double ms;           // milliseconds that copying has taken
};

// Rows of tiles whose slices are read at a time.
static uint32_t atlas_bands_per_read(const struct atlas *atlas)
{
    const uint64_t fitting = READ_BYTES / (atlas->cols * atlas_slice_bytes(atlas));
    return fitting < 1 ? 1 : fitting < atlas->rows ? (uint32_t)fitting : atlas->rows;
}

// Reads the slices of atlas row `v` of a layer into the window. *rows is the number of atlas rows
// that they cover.
static bool atlas_read_slices(
    struct atlas_loading *loading, uint32_t layer, uint32_t v, uint32_t *rows,
    struct problem *problem)
{
    const struct atlas *atlas = loading->atlas;
    const uint32_t band = v / atlas->dim[1];
    const uint32_t first = (layer * atlas->rows + band) * atlas->cols;
    const struct atlas_source *source = &loading->source;
    const uint32_t behind = atlas->dim[2];
    if (source->read && first < behind && first >= loading->window_end) {
        const uint64_t end = first + (uint64_t)atlas_bands_per_read(atlas) * atlas->cols;
        const uint32_t count = (uint32_t)(end < behind ? end : behind) - first;
        loading->window = (struct atlas_window){ loading->room, first };
        loading->window_end = first + count;
        if (!source->read(source->user, atlas->base_z + first, count, loading->room, problem)) {
            return false;
        }
    }
    // As far as the window reaches; rows without a slice count up to the end of the layer.
    const uint32_t height = atlas->rows * atlas->dim[1];
    const uint32_t bands = loading->window_end < behind
                               ? (loading->window_end - first) / atlas->cols
                               : atlas->rows - band;
    *rows = (band + bands) * atlas->dim[1] - v;
    *rows = *rows < height - v ? *rows : height - v;
    return true;
}

// Submits the copy of `count` rows from the half that has been filled.
static bool atlas_copy_rows(
    struct atlas_loading *loading, uint32_t layer, uint32_t v, uint32_t count,
    struct problem *problem)
{
    const struct atlas *atlas = loading->atlas;
    const uint64_t from = loading->half * atlas_half_bytes(atlas);
    VkCommandBuffer cmd = gpu_begin(loading->gpu, problem);
    if (!cmd) {
        return false;
    }
    if (atlas->storage == ATLAS_STORAGE_IMAGE) {
        const VkBufferImageCopy region = {
            .bufferOffset = from,
            .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, layer, 1 },
            .imageOffset = { 0, (int32_t)v, 0 },
            .imageExtent = { atlas->cols * atlas->tile_width, count, 1 },
        };
        vkCmdCopyBufferToImage(
            cmd, loading->staging.handle, atlas->image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            1, &region);
    } else {
        const uint64_t above = (uint64_t)layer * atlas->rows * atlas->dim[1];
        const VkBufferCopy region = {
            .srcOffset = from,
            .dstOffset = (above + v) * atlas_row_bytes(atlas),
            .size = count * atlas_row_bytes(atlas),
        };
        vkCmdCopyBuffer(cmd, loading->staging.handle, atlas->samples.handle, 1, &region);
    }
    if (!gpu_start(loading->gpu, cmd, problem)) {
        return false;
    }
    loading->copies[loading->half] = cmd;
    return true;
}

// Waits until the device has copied the half, if it does.
static bool atlas_await(struct atlas_loading *loading, uint32_t half, struct problem *problem)
{
    VkCommandBuffer cmd = loading->copies[half];
    loading->copies[half] = NULL;
    return !cmd || gpu_finish(loading->gpu, cmd, problem);
}

static bool atlas_await_all(struct atlas_loading *loading, struct problem *problem)
{
    bool fine = true;
    for (uint32_t half = 0; half < HALVES; half++) {
        fine = atlas_await(loading, half, fine ? problem : NULL) && fine;
    }
    return fine;
}

// Packs the next rows of the atlas, a bounded number, and submits their copy.
static bool atlas_copy_next(struct atlas_loading *loading, struct problem *problem)
{
    const struct atlas *atlas = loading->atlas;
    const uint32_t height = atlas->rows * atlas->dim[1], step = atlas_rows_per_copy(atlas);
    const uint32_t layer = loading->layer, v = loading->row;
    uint32_t count;
    if (!atlas_read_slices(loading, layer, v, &count, problem) ||
        !atlas_await(loading, loading->half, problem)) {
        return false;
    }
    count = count < step ? count : step;
    char *to = (char *)loading->staging.mapped + loading->half * atlas_half_bytes(atlas);
    atlas_pack_rows(atlas, &loading->window, layer, v, count, to, &loading->packing);
    if (!atlas_copy_rows(loading, layer, v, count, problem)) {
        return false;
    }
    loading->half = (loading->half + 1) % HALVES;
    loading->row += count;
    if (loading->row == height) {
        loading->row = 0;
        loading->layer++;
    }
    return true;
}

void atlas_load_end(struct atlas_loading *loading)
{
    if (loading) {
        atlas_await_all(loading, NULL); // a lost device keeps its buffers
        buffer_destroy(loading->gpu, &loading->staging);
        free(loading->room);
        free(loading);
    }
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
    // A kernel declares all widths and reads one. That one reaches every key, which
    // atlas_fits_limits has checked; only padding bytes may be left over.
    const uint32_t numbers[] = { BINDING_KEYS8, BINDING_KEYS16, BINDING_KEYS32,
                                 BINDING_KEY_BLOCKS };
    for (uint32_t view = 0; view < sizeof numbers / sizeof *numbers; view++) {
        table[numbers[view]] = (struct binding){ &atlas->samples, .view = view };
    }
}

// Creates the kernels that are needed and not there yet.
static bool atlas_make_kernels(struct gpu *gpu, struct atlas *atlas, struct problem *problem)
{
    const bool image = atlas->storage == ATLAS_STORAGE_IMAGE;
    uint32_t constants[CONSTANTS];
    atlas_constants(atlas, constants);
    const struct kernel_params ranges = {
        .name = "ranges",
        .shader = image ? &shader_ranges_image : &shader_ranges_buffer,
        .constants = constants,
        .constant_count = CONSTANTS,
    };
    const struct kernel_params valid_masks = {
        .name = "valid masks",
        .shader = image ? &shader_valid_masks_image : &shader_valid_masks_buffer,
        .constants = constants,
        .constant_count = CONSTANTS,
    };
    return (atlas->ranges_kernel.shader ||
            kernel_create(gpu, &ranges, &atlas->ranges_kernel, problem)) &&
           (!atlas->has_gaps || atlas->gaps_kernel.shader ||
            kernel_create(gpu, &valid_masks, &atlas->gaps_kernel, problem));
}

static void atlas_destroy_kernels(struct gpu *gpu, struct atlas *atlas)
{
    kernel_destroy(gpu, &atlas->ranges_kernel);
    kernel_destroy(gpu, &atlas->gaps_kernel);
}

// Computes the ranges of the bricks on the device, and the valid masks if needed.
static bool atlas_survey(struct gpu *gpu, struct atlas *atlas, struct problem *problem)
{
    const uint32_t bricks = atlas->brick_count, rows = bricks * BRICK_ROWS;
    VkCommandBuffer cmd =
        atlas_make_kernels(gpu, atlas, problem) ? gpu_begin(gpu, problem) : VK_NULL_HANDLE;
    if (!cmd) {
        return false;
    }
    struct binding table[BINDINGS] = { 0 };
    struct run run;
    uint32_t groups[2];
    atlas_bind(atlas, table);
    run_begin(&run, gpu, cmd, NULL);
    run_fold(bricks, GROUP, groups);
    run_dispatch(
        &run, &atlas->ranges_kernel, table, &(struct ranges_push){ bricks }, groups[0], groups[1],
        1);
    if (atlas->has_gaps) {
        run_fold(rows, GROUP, groups);
        run_dispatch(
            &run, &atlas->gaps_kernel, table, &(struct valid_masks_push){ rows }, groups[0],
            groups[1], 1);
    }
    return gpu_submit_and_wait(gpu, cmd, problem);
}

// Which of `dim` slices, or rows, are held for the `count` layers, or rows, of cells from `first`
// on: their number, the first of them, and which are own, counted from there.
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

// Sets which slices and rows the atlas holds, and which of them are its own.
static void
atlas_set_extent(struct atlas *out, const struct volume *volume, const struct atlas_part *cells)
{
    const uint32_t *dim = volume->dim;
    const bool cut = cells && cells->rows > 0; // along y
    const struct held z = cells ? atlas_held_around(cells->first, cells->layers, dim[2])
                                : atlas_held_around(0, dim[2] - 1, dim[2]);
    const struct held y = cut ? atlas_held_around(cells->first_row, cells->rows, dim[1])
                              : atlas_held_around(0, dim[1] - 1, dim[1]);
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

static uint64_t atlas_sample_bytes(const struct atlas *atlas)
{
    return (uint64_t)atlas->rows * atlas->dim[1] * atlas->layers * atlas_row_bytes(atlas);
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

bool atlas_load_begin(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *atlas, struct atlas_loading **out, struct problem *problem)
{
    atlas_set_extent(atlas, volume, params->cells);
    struct atlas_loading *loading = *out = calloc(1, sizeof *loading);
    if (!loading) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading slices");
    }
    loading->gpu = gpu;
    loading->atlas = atlas;
    if (params->source) {
        loading->source = *params->source;
        loading->room =
            malloc((uint64_t)atlas_bands_per_read(atlas) * atlas->cols * atlas_slice_bytes(atlas));
        if (!loading->room) {
            problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading slices");
            goto fail;
        }
    } else {
        loading->window.samples =
            (const char *)volume->samples + atlas->base_z * atlas_slice_bytes(atlas);
        loading->window_end = atlas->dim[2];
    }
    const struct buffer_params staging = atlas_staging_params(atlas);
    if (!buffer_create(gpu, &staging, &loading->staging, problem) ||
        (atlas->storage == ATLAS_STORAGE_IMAGE &&
         !atlas_transition(
             gpu, &atlas->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
             problem))) {
        goto fail;
    }
    return true;
fail:
    atlas_load_end(loading);
    *out = NULL;
    return false;
}

// After all samples have been loaded.
static bool atlas_load_finish(struct atlas_loading *loading, struct problem *problem)
{
    struct gpu *gpu = loading->gpu;
    struct atlas *atlas = loading->atlas;
    const double start = clock_ms();
    if (atlas->storage == ATLAS_STORAGE_IMAGE &&
        !atlas_transition(
            gpu, &atlas->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, problem)) {
        return false;
    }
    buffer_destroy(gpu, &loading->staging);
    if ((loading->packing.gaps && !atlas->has_gaps) ||
        (loading->packing.extremes && !atlas->has_extremes)) {
        atlas_destroy_kernels(gpu, atlas); // they have the old constants
    }
    atlas->has_gaps |= loading->packing.gaps;
    atlas->has_extremes |= loading->packing.extremes;
    const struct buffer_params gaps = atlas_valid_masks_params(atlas);
    if ((atlas->has_gaps && !atlas->gaps.handle &&
         !buffer_create(gpu, &gaps, &atlas->gaps, problem)) ||
        !atlas_survey(gpu, atlas, problem)) {
        return false;
    }
    atlas->upload_ms = loading->ms;
    atlas->ranges_ms = clock_ms() - start;
    atlas->device_bytes =
        atlas->image.size + atlas->samples.size + atlas->ranges.size + atlas->gaps.size;
    return true;
}

bool atlas_load_next(struct atlas_loading *loading, double ms, bool *done, struct problem *problem)
{
    const double start = clock_ms();
    *done = false;
    while (loading->layer < loading->atlas->layers) {
        if (!atlas_copy_next(loading, problem)) {
            return false;
        }
        const double taken = clock_ms() - start;
        if (interrupted) {
            return problem_set(
                problem, PROBLEM_INTERRUPTED, "interrupted while uploading the volume");
        }
        if (ms > 0 && taken >= ms) {
            loading->ms += taken;
            return true;
        }
    }
    if (!atlas_await_all(loading, problem)) {
        return false;
    }
    loading->ms += clock_ms() - start;
    *done = true;
    return atlas_load_finish(loading, problem);
}

double atlas_load_share(const struct atlas_loading *loading)
{
    const struct atlas *atlas = loading->atlas;
    return (loading->layer + (double)loading->row / (atlas->rows * atlas->dim[1])) / atlas->layers;
}

bool atlas_load(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *atlas, struct problem *problem)
{
    struct atlas_loading *loading;
    bool done = false;
    bool fine = atlas_load_begin(gpu, volume, params, atlas, &loading, problem);
    const struct progress *progress = params->progress;
    while (fine && !done) {
        fine = atlas_load_next(loading, progress ? 50 : 0, &done, problem);
        if (fine && progress && !progress->report(progress->user, atlas_load_share(loading))) {
            fine =
                problem_set(problem, PROBLEM_INTERRUPTED, "cancelled while uploading the volume");
        }
    }
    atlas_load_end(loading);
    return fine;
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

bool atlas_create(
    struct gpu *gpu, const struct volume *volume, const struct atlas_params *params,
    struct atlas *out, struct problem *problem)
{
    if (!atlas_make(gpu, volume, params, out, problem)) {
        return false;
    }
    if (!atlas_load(gpu, volume, params, out, problem)) {
        atlas_destroy(gpu, out);
        return false;
    }
    return true;
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
    atlas_destroy_kernels(gpu, atlas);
    image_destroy(gpu, &atlas->image);
    buffer_destroy(gpu, &atlas->samples);
    buffer_destroy(gpu, &atlas->ranges);
    buffer_destroy(gpu, &atlas->gaps);
    *atlas = (struct atlas){ 0 };
}

void atlas_constants(const struct atlas *atlas, uint32_t constants[CONSTANTS])
{
    // The method's own constant, set by compaction.
    memset(constants, 0, CONSTANTS * sizeof *constants);
    constants[CONSTANT_DIM_X] = atlas->dim[0];
    constants[CONSTANT_DIM_Y] = atlas->dim[1];
    constants[CONSTANT_DIM_Z] = atlas->dim[2];
    constants[CONSTANT_TILE_WIDTH] = atlas->tile_width;
    constants[CONSTANT_COLS] = atlas->cols;
    constants[CONSTANT_ROWS] = atlas->rows;
    constants[CONSTANT_LAYERS] = atlas->layers;
    constants[CONSTANT_TYPE] = atlas->type;
    constants[CONSTANT_HAS_INVALID] = atlas->has_gaps;
    constants[CONSTANT_EXTREMES] = atlas->has_extremes;
    constants[CONSTANT_OWN_FIRST] = atlas->own_first;
    constants[CONSTANT_OWN_LAST] = atlas->own_last;
    constants[CONSTANT_OWN_Y_FIRST] = atlas->own_y_first;
    constants[CONSTANT_OWN_Y_LAST] = atlas->own_y_last;
}
