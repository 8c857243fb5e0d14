#include "compute/casting/shadow.h"

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

bool shadow_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    uint32_t pixels, struct shadow *out, struct problem *problem)
{
    const bool image = atlas->storage == ATLAS_STORAGE_IMAGE;
    const struct {
        const char *name;
        const struct shader *shader;
    } rows[SHADOW_KERNELS] = {
        [SHADOW_HITS] = { "shadow",
                          image ? &shader_cast_shadow_image : &shader_cast_shadow_buffer },
        [SHADOW_MEAN] = { "mean of shadows", &shader_cast_shadow_mean },
        [SHADOW_EDGES] = { "shadow at edges", &shader_cast_shadow_edges },
    };
    const struct buffer_params params = shadow_buffer(pixels);
    bool fine = buffer_create(gpu, &params, &out->shades, problem);
    for (int i = 0; fine && i < SHADOW_KERNELS && !out->kernels[i].pipeline; i++) {
        const struct kernel_params kernel = {
            .name = rows[i].name,
            .shader = rows[i].shader,
            .constants = constants,
            .constant_count = CONSTANTS,
        };
        fine = kernel_create(gpu, &kernel, &out->kernels[i], problem);
    }
    if (!fine) {
        shadow_destroy(gpu, out);
    }
    return fine;
}

void shadow_free_shades(struct gpu *gpu, struct shadow *shadow)
{
    buffer_destroy(gpu, &shadow->shades);
}

void shadow_destroy(struct gpu *gpu, struct shadow *shadow)
{
    for (int i = 0; i < SHADOW_KERNELS; i++) {
        kernel_destroy(gpu, &shadow->kernels[i]);
    }
    buffer_destroy(gpu, &shadow->shades);
    *shadow = (struct shadow){ 0 };
}

void shadow_record(
    struct shadow *shadow, struct run *run, const struct binding table[BINDINGS],
    const struct shadow_push *push, const struct buffer *arguments)
{
    struct binding own[BINDINGS];
    memcpy(own, table, sizeof own);
    own[BINDING_SHADES] = (struct binding){ &shadow->shades };
    run_fill(run, &shadow->shades, 0, (uint64_t)push->width * push->height * 4, SHADOW_NONE);
    run_dispatch_indirect(run, &shadow->kernels[SHADOW_HITS], own, push, arguments, 0);
    run_dispatch_indirect(run, &shadow->kernels[SHADOW_MEAN], own, push, arguments, 0);
}

void shadow_record_edges(
    struct shadow *shadow, struct run *run, const struct binding table[BINDINGS],
    const struct shadow_push *push, const struct buffer *arguments)
{
    struct binding own[BINDINGS];
    memcpy(own, table, sizeof own);
    own[BINDING_SHADES] = (struct binding){ &shadow->shades };
    run_dispatch_indirect(run, &shadow->kernels[SHADOW_EDGES], own, push, arguments, 0);
}
