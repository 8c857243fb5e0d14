#include "compute/compaction/compaction.h"

#include "compute/compaction/histopyramid.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t arrange_words[] =
#include "arrange.inc"
    ;
static const struct kernel_info arrange_info = {
    .name = "arrange",
    .code = arrange_words,
    .code_size = sizeof arrange_words,
    .push_size = sizeof(struct arrange_push),
    .ports = {
        PORT(struct arrange_push, head, ACCESS_READ),
        PORT(struct arrange_push, groups, ACCESS_WRITE),
        PORT(struct arrange_push, other_head, ACCESS_READ),
        PORT(struct arrange_push, other_groups, ACCESS_WRITE),
    },
};

static struct kernel *kernel_at(
    const struct compaction *compaction, const struct method *method, enum stream stream,
    uint32_t pass)
{
    const uint32_t row = (uint32_t)(method - methods);
    return &compaction->kernels[(row * STREAMS + stream) * METHOD_PASSES + pass];
}

bool compaction_create(
    struct gpu *gpu, const uint32_t *constants, uint32_t constant_count,
    VkDescriptorSetLayout set_layout, struct compaction *out, struct problem *problem)
{
    *out = (struct compaction){ .gpu = gpu };
    out->kernels = calloc(method_count() * STREAMS * METHOD_PASSES, sizeof *out->kernels);
    if (!out->kernels) {
        problem_set(problem, PROBLEM_DEVICE, "out of memory preparing the methods");
        goto fail;
    }
    for (const struct method *method = methods; method->name; method++) {
        if (method_unavailable(method, gpu)) {
            continue;
        }
        for (int stream = 0; stream < STREAMS; stream++) {
            for (uint32_t pass = 0; pass < METHOD_PASSES && method->passes[pass].kernels; pass++) {
                if (!kernel_create(
                        gpu, &method->passes[pass].kernels[stream], constants, constant_count,
                        set_layout, kernel_at(out, method, stream, pass), problem)) {
                    goto fail;
                }
            }
        }
    }
    if (!kernel_create(gpu, &arrange_info, NULL, 0, VK_NULL_HANDLE, &out->arrange, problem) ||
        !buffer_create(
            gpu, &(struct buffer_params){ .name = "traversal groups", .size = 16 }, &out->groups,
            problem)) {
        goto fail;
    }
    return true;
fail:
    compaction_destroy(out);
    return false;
}

void compaction_destroy(struct compaction *compaction)
{
    struct gpu *gpu = compaction->gpu;
    for (uint32_t i = 0; compaction->kernels && i < method_count() * STREAMS * METHOD_PASSES; i++) {
        kernel_destroy(gpu, &compaction->kernels[i]);
    }
    free(compaction->kernels);
    if (gpu) {
        kernel_destroy(gpu, &compaction->arrange);
        buffer_destroy(gpu, &compaction->masks);
        buffer_destroy(gpu, &compaction->blocks);
        buffer_destroy(gpu, &compaction->levels);
        buffer_destroy(gpu, &compaction->groups);
    }
    *compaction = (struct compaction){ 0 };
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool compaction_reserve(
    struct compaction *compaction, const struct compaction_size size[STREAMS],
    struct problem *problem)
{
    uint64_t masks = 0, blocks = 0, levels = 0;
    for (int stream = 0; stream < STREAMS; stream++) {
        const uint64_t lanes = size[stream].lanes;
        masks = greater(
            masks, greater(lanes, histopyramid_words(size[stream].width, size[stream].height)));
        levels = greater(levels, histopyramid_words(size[stream].width, size[stream].height));
        uint64_t clears = 0;
        for (const struct method *method = methods; method->name; method++) {
            clears = greater(clears, method->clears ? method->clears(size[stream].lanes) : 0);
        }
        blocks = greater(blocks, clears / sizeof(uint32_t) + (lanes + GROUP - 1) / GROUP);
    }
    const struct {
        const char *name;
        uint64_t words;
        struct buffer *buffer;
    } needs[] = {
        { "compaction masks", masks, &compaction->masks },
        { "compaction blocks", blocks, &compaction->blocks },
        { "pyramid levels", levels, &compaction->levels },
    };
    struct buffer made[3] = { 0 };
    for (int i = 0; i < 3; i++) {
        const uint64_t bytes = needs[i].words * sizeof(uint32_t);
        if (needs[i].buffer->size < bytes &&
            !buffer_create(
                compaction->gpu, &(struct buffer_params){ .name = needs[i].name, .size = bytes },
                &made[i], problem)) {
            goto fail;
        }
    }
    for (int i = 0; i < 3; i++) {
        if (made[i].handle) {
            buffer_destroy(compaction->gpu, needs[i].buffer);
            *needs[i].buffer = made[i];
        }
    }
    memcpy(compaction->size, size, sizeof compaction->size);
    return true;
fail:
    for (int i = 0; i < 3; i++) {
        buffer_destroy(compaction->gpu, &made[i]);
    }
    return false;
}

const struct kernel *compaction_kernel(
    const struct compaction *compaction, const struct compaction_run *what, uint32_t pass)
{
    return kernel_at(compaction, what->method, what->stream, pass);
}

struct compact_push
compaction_push(const struct compaction *compaction, const struct compaction_run *what)
{
    const struct compaction_size *size = &compaction->size[what->stream];
    return (struct compact_push){
        .source = what->source,
        .source_head = what->source_head,
        .rows = what->rows,
        .gaps = what->gaps,
        .head = what->head,
        .list = what->list,
        .masks = compaction->masks.address,
        .blocks = compaction->blocks.address,
        .levels = compaction->levels.address,
        .key = what->key,
        .lanes = size->lanes,
        .width = size->width,
        .height = size->height,
        .cols = size->cols,
    };
}

void compaction_dispatch_lanes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const struct compact_push *push)
{
    const struct kernel *kernel = compaction_kernel(compaction, what, pass);
    if (what->lane_groups) {
        run_dispatch_indirect(run, kernel, push, what->lane_groups, what->lane_groups_offset);
    } else {
        uint32_t groups[2];
        run_fold(push->lanes, GROUP, groups);
        run_dispatch(run, kernel, push, groups[0], groups[1], 1);
    }
}

void compaction_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    const struct method *method = what->method;
    if (method->record) {
        method->record(compaction, run, what);
        return;
    }
    const struct compact_push push = compaction_push(compaction, what);
    if (method->clears) {
        run_fill(run, &compaction->blocks, 0, method->clears(push.lanes), 0);
    }
    for (uint32_t pass = 0; pass < METHOD_PASSES && method->passes[pass].kernels; pass++) {
        if (method->passes[pass].shape == PASS_ONE_GROUP) {
            run_dispatch(run, compaction_kernel(compaction, what, pass), &push, 1, 1, 1);
        } else {
            compaction_dispatch_lanes(compaction, run, what, pass, &push);
        }
    }
}
