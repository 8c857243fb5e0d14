#include "compute/casting/bvh.h"

#include "shaders.h"

#include <string.h>

// Levels that have boxes. Leaves have none, unless the root is the only leaf.
static uint32_t bvh_levels(const struct tree *tree)
{
    return tree->depth > 0 ? tree->depth : 1;
}

static struct buffer_params bvh_nodes(const struct tree *tree)
{
    const uint32_t nodes = tree->depth > 0 ? tree->levels[tree->depth].first : 1;
    return (struct buffer_params){
        .name = "boxes of rays",
        .size = (uint64_t)nodes * 16,
        .purpose = PURPOSE_PICTURE,
        .texels = { VK_FORMAT_R32G32B32A32_UINT },
    };
}

uint64_t bvh_bytes(const struct gpu *gpu, const struct tree *tree)
{
    const struct buffer_params params = bvh_nodes(tree);
    return buffer_bytes(gpu, &params);
}

bool bvh_create(
    struct gpu *gpu, const struct tree *tree, const uint32_t constants[CONSTANTS], struct bvh *out,
    struct problem *problem)
{
    const struct buffer_params params = bvh_nodes(tree);
    const uint32_t lanes = gpu->traits->box_lanes;
    uint32_t own[CONSTANTS];
    const struct kernel_params update = {
        .name = "boxes of rays",
        .shader = &shader_cast_bvh_update,
        .constants = own,
    };
    memcpy(own, constants, sizeof own);
    // Both numbers are powers of two, so a workgroup has whole subgroups.
    own[CONSTANT_BOX_LANES] = lanes > gpu->subgroup_lanes ? lanes : gpu->subgroup_lanes;
    *out = (struct bvh){ 0 };
    if (!buffer_create(gpu, &params, &out->nodes, problem) ||
        !kernel_create(gpu, &update, &out->update, problem)) {
        bvh_destroy(gpu, out);
        return false;
    }
    return true;
}

void bvh_destroy(struct gpu *gpu, struct bvh *bvh)
{
    kernel_destroy(gpu, &bvh->update);
    buffer_destroy(gpu, &bvh->nodes);
    *bvh = (struct bvh){ 0 };
}

void bvh_record(
    struct bvh *bvh, const struct tree *tree, struct run *run, const struct binding table[BINDINGS])
{
    struct bvh_push push = { .levels = tree->depth + 1 };
    for (uint32_t left = bvh_levels(tree); left > 0; left = push.first) {
        push.last = left - 1;
        push.first = left > BVH_LEVELS ? left - BVH_LEVELS : 0;
        const uint32_t *dim = tree->levels[push.first].dim;
        run_dispatch(run, &bvh->update, table, &push, dim[0], dim[1], dim[2]);
    }
}
