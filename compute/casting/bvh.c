#include "compute/casting/bvh.h"

#include "shaders.h"

static struct buffer_params bvh_nodes(const struct tree *tree)
{
    return (struct buffer_params){
        .name = "boxes of rays",
        .size = (uint64_t)tree->nodes * 16,
        .purpose = PURPOSE_RANGES,
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
    const struct kernel_params update = {
        .name = "boxes of rays",
        .shader = &shader_cast_bvh_update,
        .constants = constants,
        .constant_count = CONSTANTS,
    };
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
    struct bvh *bvh, const struct tree *tree, struct run *run, const struct binding table[BINDINGS],
    uint32_t most, uint32_t least)
{
    struct bvh_push push = { .top = tree->depth, .levels = tree->depth + 1 };
    push.most = most;
    push.least = least;
    do {
        push.bottom = push.top;
        push.top -= push.bottom < BVH_STEPS ? push.bottom : BVH_STEPS;
        const uint32_t *dim = tree->levels[push.top].dim; // at most 2^TREE_HALVINGS
        run_dispatch(run, &bvh->update, table, &push, dim[0], dim[1], dim[2]);
    } while (push.top > 0);
}
