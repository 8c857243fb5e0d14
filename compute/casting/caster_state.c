#include "compute/casting/caster_state.h"

#include "compute/gpu/transfer.h"
#include "shaders/shared/extraction.h"

#include <stdlib.h>
#include <string.h>

#define APPEND_SHARED 1024 // most bytes of shared memory of shaders/lib/append.glsl

static struct buffer_params caster_state_words(const struct tree *tree)
{
    return (struct buffer_params){
        .name = "kd-tree of rays",
        .size = (uint64_t)tree_words(tree) * 4,
        .purpose = PURPOSE_PICTURE,
        .texels = { VK_FORMAT_R32_UINT },
        .samples = true,
    };
}

// Sets the shape of a caster's tree. With boxes, each lane has a stack with an entry for each
// halving. The stacks, and a little that appending to a list takes, must fit in shared memory.
static void caster_state_shape(
    const struct gpu *gpu, const uint32_t dim[3], const struct skips *skips,
    const struct caster *caster, struct tree *out)
{
    const uint32_t shared = gpu->properties.limits.maxComputeSharedMemorySize;
    const uint32_t deepest =
        caster->tree == CASTER_BVH ? (shared - APPEND_SHARED) / (GROUP * 4) : TREE_LEVELS;
    tree_shape(gpu, dim, skips, caster->leaf, deepest, out);
}

// Entries of each stack of a caster in rounds; 0: there are no stacks.
static uint32_t caster_state_heights(const struct caster *caster, const struct tree *tree)
{
    return caster->tree != CASTER_BVH ? 0 : tree->depth > 0 ? tree->depth : 1;
}

uint64_t caster_state_bytes(
    const struct gpu *gpu, const uint32_t dim[3], const struct skips *skips,
    const struct caster *caster, const struct method *method, uint32_t pixels)
{
    uint64_t bytes = 0;
    struct tree tree = { 0 };
    if (caster->tree != CASTER_CUBES) {
        caster_state_shape(gpu, dim, skips, caster, &tree);
        const struct buffer_params words = caster_state_words(&tree);
        bytes += buffer_bytes(gpu, &words);
    }
    bytes += caster->tree == CASTER_BVH ? bvh_bytes(gpu, &tree) : 0;
    return bytes + (caster->wavefront ? wavefront_bytes(
                                            gpu, method, caster->separate, pixels,
                                            caster_state_heights(caster, &tree))
                                      : 0);
}

bool caster_state_fill(
    struct gpu *gpu, struct caster_state *state, const struct skips *skips, const uint32_t *fine,
    struct problem *problem)
{
    if (!state->words.handle) {
        return true;
    }
    const uint64_t size = (uint64_t)tree_words(&state->tree) * 4;
    uint32_t *words = malloc(size);
    if (!words) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a kd-tree");
    }
    tree_fill(&state->tree, skips, fine, words);
    const bool made = transfer_upload(gpu, &state->words, 0, words, size, problem);
    free(words);
    return made;
}

static bool caster_state_make_tree(
    struct gpu *gpu, const struct skips *skips, const struct buffer *cubes,
    struct caster_state *state, struct problem *problem)
{
    const uint64_t size = (uint64_t)skips->fine[0] * skips->fine[1] * skips->fine[2] * 4;
    const struct buffer_params params = caster_state_words(&state->tree);
    if (!buffer_create(gpu, &params, &state->words, problem) || !cubes) {
        return state->words.handle;
    }
    uint32_t *fine = malloc(size);
    const bool made =
        fine ? transfer_download(gpu, cubes, 0, fine, size, problem) &&
                   caster_state_fill(gpu, state, skips, fine, problem)
             : problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a kd-tree");
    free(fine);
    return made;
}

bool caster_state_create(
    struct gpu *gpu, const struct atlas *atlas, const struct skips *skips,
    const struct buffer *cubes, const struct caster *caster, const uint32_t constants[CONSTANTS],
    uint32_t pixels, struct caster_state *out, struct problem *problem)
{
    const bool image = atlas->storage == ATLAS_STORAGE_IMAGE;
    uint32_t own[CONSTANTS];
    const struct kernel_params params = {
        .name = caster->name,
        .shader = image ? caster->image : caster->buffer,
        .constants = own,
    };
    *out = (struct caster_state){ .caster = caster };
    memcpy(own, constants, sizeof own);
    if (caster->tree != CASTER_CUBES) {
        caster_state_shape(gpu, atlas->dim, skips, caster, &out->tree);
        own[CONSTANT_LEAF_SHIFT] = out->tree.shift;
        own[CONSTANT_TREE_DEPTH] = out->tree.depth > 0 ? out->tree.depth : 1;
        if (!caster_state_make_tree(gpu, skips, cubes, out, problem)) {
            goto fail;
        }
    }
    if (caster->tree == CASTER_BVH && !bvh_create(gpu, &out->tree, own, &out->bvh, problem)) {
        goto fail;
    }
    if (caster->wavefront ? !wavefront_create(
                                gpu, atlas, own, pixels, caster_state_heights(caster, &out->tree),
                                &out->wavefront, problem)
                          : !kernel_create(gpu, &params, &out->kernel, problem)) {
        goto fail;
    }
    out->wavefront.separate = caster->separate;
    return true;
fail:
    caster_state_destroy(gpu, out);
    return false;
}

void caster_state_destroy(struct gpu *gpu, struct caster_state *state)
{
    kernel_destroy(gpu, &state->kernel);
    buffer_destroy(gpu, &state->words);
    bvh_destroy(gpu, &state->bvh);
    wavefront_destroy(&state->wavefront);
    *state = (struct caster_state){ 0 };
}

void caster_state_bind(const struct caster_state *state, struct binding table[BINDINGS])
{
    if (state->words.handle) {
        table[BINDING_TREE] = (struct binding){ .buffer = &state->words };
    }
    if (state->bvh.nodes.handle) {
        table[BINDING_BVH] = (struct binding){ .buffer = &state->bvh.nodes };
    }
}

void caster_state_record(
    struct caster_state *state, struct run *run, const struct binding table[BINDINGS])
{
    if (state->bvh.nodes.handle) {
        bvh_record(&state->bvh, &state->tree, run, table);
    }
}
