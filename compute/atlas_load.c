#include "compute/atlas_load.h"

#include "compute/atlas_keys.h"
#include "compute/gpu/run.h"
#include "shaders.h"
#include "volumes/base/clock.h"

#include <stdlib.h>
#include <string.h>

// Changes the Vulkan layout of all layers of the image, in a separate submission.
static bool atlas_load_transition(
    struct gpu *gpu, const struct image *image, VkImageLayout from, VkImageLayout to,
    struct problem *problem)
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
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    vkCmdPipelineBarrier2(cmd, &info);
    return gpu_submit_and_wait(gpu, cmd, problem);
}

#define HALVES        2
#define STAGING_BYTES ((uint64_t)16 << 20) // both halves together
#define READ_BYTES    ((uint64_t)4 << 20)  // bytes read from a source at a time

// Bytes of a slice of the volume; the atlas may hold only some of its rows.
static uint64_t atlas_load_slice_bytes(const struct atlas *atlas)
{
    return (uint64_t)atlas->whole[0] * atlas->whole[1] * volume_type_size(atlas->type);
}

// Number of atlas rows that are packed and copied at a time.
static uint32_t atlas_load_rows_per_copy(const struct atlas *atlas)
{
    const uint32_t half = (atlas->rows * atlas->dim[1] + HALVES - 1) / HALVES;
    const uint64_t fitting = STAGING_BYTES / HALVES / atlas_row_bytes(atlas);
    return fitting < 1 ? 1 : fitting < half ? (uint32_t)fitting : half;
}

static uint64_t atlas_load_half_bytes(const struct atlas *atlas)
{
    return atlas_load_rows_per_copy(atlas) * atlas_row_bytes(atlas);
}

static struct buffer_params atlas_load_staging_params(const struct atlas *atlas)
{
    return (struct buffer_params){
        .name = "staging buffer",
        .size = HALVES * atlas_load_half_bytes(atlas),
        .memory = BUFFER_UPLOAD,
        .purpose = PURPOSE_STAGING,
    };
}

uint64_t atlas_load_bytes(const struct gpu *gpu, const struct atlas *described)
{
    const struct buffer_params params = atlas_load_staging_params(described);
    return buffer_bytes(gpu, &params);
}

// Slices in host memory, with all rows of the volume. The first one is slice `first` of the atlas.
struct atlas_window {
    const void *samples;
    uint32_t first;
};

// Packs `count` atlas rows of one layer as keys, from row `first` on. Tiles without a slice become
// 0. The window must contain the slices of these rows.
static void atlas_load_pack_rows(
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
    struct atlas_source source; // its `read` is NULL if the volume has the samples
    struct buffer staging;
    VkCommandBuffer copies[HALVES]; // per half: its copy in flight; NULL: none
    uint32_t half;                  // the half to fill next
    struct atlas_window window;
    uint32_t window_end; // slice after the window's last
    void *room;          // memory for slices from a source
    struct atlas_packing packing;
    uint32_t layer, row; // of the atlas: the row to copy next
    double ms;           // milliseconds that copying has taken
};

// Number of rows of tiles whose slices are read from a source at a time.
static uint32_t atlas_load_bands_per_read(const struct atlas *atlas)
{
    const uint64_t fitting = READ_BYTES / (atlas->cols * atlas_load_slice_bytes(atlas));
    return fitting < 1 ? 1 : fitting < atlas->rows ? (uint32_t)fitting : atlas->rows;
}

// Provides the slices of atlas row `v` of a layer in the window. *rows: number of atlas rows from
// `v` on for which the window has the slices.
static bool atlas_load_read_slices(
    struct atlas_loading *loading, uint32_t layer, uint32_t v, uint32_t *rows,
    struct problem *problem)
{
    const struct atlas *atlas = loading->atlas;
    const uint32_t band = v / atlas->dim[1];
    const uint32_t first = (layer * atlas->rows + band) * atlas->cols;
    const struct atlas_source *source = &loading->source;
    const uint32_t behind = atlas->dim[2];
    if (source->read && first < behind && first >= loading->window_end) {
        const uint64_t end = first + (uint64_t)atlas_load_bands_per_read(atlas) * atlas->cols;
        const uint32_t count = (uint32_t)(end < behind ? end : behind) - first;
        loading->window = (struct atlas_window){ loading->room, first };
        loading->window_end = first + count;
        if (!source->read(source->user, atlas->base_z + first, count, loading->room, problem)) {
            return false;
        }
    }
    // Count the rows up to the window's end; after the last slice, all rows of the layer.
    const uint32_t height = atlas->rows * atlas->dim[1];
    const uint32_t bands = loading->window_end < behind
                               ? (loading->window_end - first) / atlas->cols
                               : atlas->rows - band;
    *rows = (band + bands) * atlas->dim[1] - v;
    *rows = *rows < height - v ? *rows : height - v;
    return true;
}

// Submits the copy of `count` rows from the half that has been filled.
static bool atlas_load_copy_rows(
    struct atlas_loading *loading, uint32_t layer, uint32_t v, uint32_t count,
    struct problem *problem)
{
    const struct atlas *atlas = loading->atlas;
    const uint64_t from = loading->half * atlas_load_half_bytes(atlas);
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

// If the device is copying the half, waits until it is done.
static bool atlas_load_await(struct atlas_loading *loading, uint32_t half, struct problem *problem)
{
    VkCommandBuffer cmd = loading->copies[half];
    loading->copies[half] = NULL;
    return !cmd || gpu_finish(loading->gpu, cmd, problem);
}

static bool atlas_load_await_all(struct atlas_loading *loading, struct problem *problem)
{
    bool fine = true;
    for (uint32_t half = 0; half < HALVES; half++) {
        fine = atlas_load_await(loading, half, fine ? problem : NULL) && fine;
    }
    return fine;
}

// Packs the next rows of the atlas, at most one half full, and submits their copy.
static bool atlas_load_copy_next(struct atlas_loading *loading, struct problem *problem)
{
    const struct atlas *atlas = loading->atlas;
    const uint32_t height = atlas->rows * atlas->dim[1], step = atlas_load_rows_per_copy(atlas);
    const uint32_t layer = loading->layer, v = loading->row;
    uint32_t count;
    if (!atlas_load_read_slices(loading, layer, v, &count, problem) ||
        !atlas_load_await(loading, loading->half, problem)) {
        return false;
    }
    count = count < step ? count : step;
    char *to = (char *)loading->staging.mapped + loading->half * atlas_load_half_bytes(atlas);
    atlas_load_pack_rows(atlas, &loading->window, layer, v, count, to, &loading->packing);
    if (!atlas_load_copy_rows(loading, layer, v, count, problem)) {
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
        atlas_load_await_all(loading, NULL); // the buffers of a lost device are not freed
        buffer_destroy(loading->gpu, &loading->staging);
        free(loading->room);
        free(loading);
    }
}

// Whether the lanes of a subgroup share the samples of a brick, as they share rows elsewhere.
static bool atlas_load_shares(const struct gpu *gpu)
{
    return gpu->traits->shared_fours < GROUP;
}

// Creates the kernels that are needed and do not exist yet.
static bool atlas_load_make_kernels(struct gpu *gpu, struct atlas *atlas, struct problem *problem)
{
    const bool image = atlas->storage == ATLAS_STORAGE_IMAGE;
    uint32_t constants[CONSTANTS];
    atlas_constants(atlas, constants);
    constants[CONSTANT_LANES_APART] = gpu->lanes_apart;
    constants[CONSTANT_SHARED_FOURS] = gpu->traits->shared_fours;
    const struct shader *const all[2][2] = {
        { &shader_ranges_buffer, &shader_ranges_image },
        { &shader_ranges_shared_buffer, &shader_ranges_shared_image },
    };
    const struct kernel_row ranges = { "ranges", all[atlas_load_shares(gpu)][image] };
    const struct kernel_row gaps = { "valid masks", image ? &shader_valid_masks_image
                                                          : &shader_valid_masks_buffer };
    return (atlas->ranges_kernel.shader ||
            kernels_create(gpu, &ranges, 1, constants, &atlas->ranges_kernel, problem)) &&
           (!atlas->has_gaps || atlas->gaps_kernel.shader ||
            kernels_create(gpu, &gaps, 1, constants, &atlas->gaps_kernel, problem));
}

// Computes the ranges of the bricks on the device, and the valid masks if needed.
static bool atlas_load_survey(struct gpu *gpu, struct atlas *atlas, struct problem *problem)
{
    const uint32_t bricks = atlas->brick_count, rows = bricks * BRICK_ROWS;
    VkCommandBuffer cmd =
        atlas_load_make_kernels(gpu, atlas, problem) ? gpu_begin(gpu, problem) : VK_NULL_HANDLE;
    if (!cmd) {
        return false;
    }
    struct binding table[BINDINGS] = { 0 };
    struct run run;
    uint32_t groups[2];
    atlas_bind(atlas, table);
    run_begin(&run, gpu, cmd, NULL);
    run_fold(bricks, atlas_load_shares(gpu) ? gpu->traits->shared_fours / 4 : GROUP, groups);
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
        loading->room = malloc(
            (uint64_t)atlas_load_bands_per_read(atlas) * atlas->cols *
            atlas_load_slice_bytes(atlas));
        if (!loading->room) {
            problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading slices");
            goto fail;
        }
    } else {
        loading->window.samples =
            (const char *)volume->samples + atlas->base_z * atlas_load_slice_bytes(atlas);
        loading->window_end = atlas->dim[2];
    }
    const struct buffer_params staging = atlas_load_staging_params(atlas);
    if (!buffer_create(gpu, &staging, &loading->staging, problem) ||
        (atlas->storage == ATLAS_STORAGE_IMAGE &&
         !atlas_load_transition(
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

// Completes the load after all samples have been copied.
static bool atlas_load_finish(struct atlas_loading *loading, struct problem *problem)
{
    struct gpu *gpu = loading->gpu;
    struct atlas *atlas = loading->atlas;
    const double start = clock_ms();
    if (atlas->storage == ATLAS_STORAGE_IMAGE &&
        !atlas_load_transition(
            gpu, &atlas->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, problem)) {
        return false;
    }
    buffer_destroy(gpu, &loading->staging);
    if ((loading->packing.gaps && !atlas->has_gaps) ||
        (loading->packing.extremes && !atlas->has_extremes)) {
        kernel_destroy(gpu, &atlas->ranges_kernel); // the kernels have the old constants
        kernel_destroy(gpu, &atlas->gaps_kernel);
    }
    atlas->has_gaps |= loading->packing.gaps;
    atlas->has_extremes |= loading->packing.extremes;
    if ((atlas->has_gaps && !atlas_make_valid_masks(gpu, atlas, problem)) ||
        !atlas_load_survey(gpu, atlas, problem)) {
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
        if (!atlas_load_copy_next(loading, problem)) {
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
    if (!atlas_load_await_all(loading, problem)) {
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
