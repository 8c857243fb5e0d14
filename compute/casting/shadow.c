#include "compute/casting/shadow.h"

#include "compute/casting/counter.h"
#include "shaders.h"

#include <string.h>

_Static_assert(sizeof(struct shadow_push) <= 128, "shadow_push is over 128 bytes");

static struct buffer_params shadow_buffer(uint32_t pixels)
{
    return (struct buffer_params){
        .name = "shades of hits",
        .size = (uint64_t)pixels * 4,
        .purpose = PURPOSE_PICTURE,
    };
}

uint64_t shadow_bytes(const struct gpu *gpu, uint32_t pixels)
{
    const struct buffer_params params = shadow_buffer(pixels);
    return buffer_bytes(gpu, &params);
}

static bool shadow_make_kernels(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct shadow *shadow, struct problem *problem)
{
    const bool image = atlas->storage == ATLAS_STORAGE_IMAGE;
    const struct kernel_row rows[SHADOW_KERNELS] = {
        [SHADOW_HITS] = { "shadow",
                          image ? &shader_cast_shadow_image : &shader_cast_shadow_buffer },
        [SHADOW_MEAN] = { "mean of shadows", &shader_cast_shadow_mean },
        [SHADOW_EDGES] = { "shadow at edges", &shader_cast_shadow_edges },
    };
    return kernels_create(gpu, rows, SHADOW_KERNELS, constants, shadow->kernels, problem);
}

bool shadow_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    uint32_t pixels, struct shadow *out, struct problem *problem)
{
    const struct buffer_params params = shadow_buffer(pixels);
    const bool has_kernels = out->kernels[0].pipeline;
    if (buffer_create(gpu, &params, &out->shades, problem) &&
        (has_kernels || shadow_make_kernels(gpu, atlas, constants, out, problem))) {
        return true;
    }
    shadow_destroy(gpu, out);
    return false;
}

void shadow_free_shades(struct gpu *gpu, struct shadow *shadow)
{
    buffer_destroy(gpu, &shadow->shades);
}

bool shadow_turn(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct shadow *shadow, struct problem *problem)
{
    kernels_destroy(gpu, shadow->kernels, SHADOW_KERNELS);
    return !shadow->shades.handle || shadow_make_kernels(gpu, atlas, constants, shadow, problem);
}

void shadow_destroy(struct gpu *gpu, struct shadow *shadow)
{
    kernels_destroy(gpu, shadow->kernels, SHADOW_KERNELS);
    buffer_destroy(gpu, &shadow->shades);
    *shadow = (struct shadow){ 0 };
}

void shadow_record_clear(const struct shadow *shadow, struct run *run, uint64_t pixels)
{
    run_fill(run, &shadow->shades, 0, pixels * 4, SHADOW_NONE);
}

void shadow_record(
    struct shadow *shadow, enum shadow_kernel which, struct run *run,
    const struct binding table[BINDINGS], const struct shadow_push *push,
    const struct buffer *counter)
{
    struct binding own[BINDINGS];
    memcpy(own, table, sizeof own);
    own[BINDING_SHADES] = (struct binding){ &shadow->shades };
    // Only SHADOW_HITS casts rays.
    const uint64_t offset = which == SHADOW_HITS ? counter_casts(run->gpu) : COUNTER_FIRST;
    run_dispatch_indirect(run, &shadow->kernels[which], own, push, counter, offset);
}
