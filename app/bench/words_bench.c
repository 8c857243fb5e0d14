#include "app/bench/words_bench.h"

#include "shaders/shared/blocks.h"

#include <string.h>

static const struct {
    const char *name;
    const struct shader *shader;
} words_bench_rows[WORDS_KERNELS] = {
    [WORDS_COPY] = { "copy", &shader_copy_words },
    [WORDS_MARK] = { "mark", &shader_mark },
    [WORDS_MARK_COUNT] = { "mark and count", &shader_mark_count },
    [WORDS_PRESERVE] = { "preserve", &shader_preserve },
    [WORDS_PREFIX_DOUBLING] = { "prefix-doubling", &shader_prefix_doubling_words },
    [WORDS_PREFIX_TREE] = { "prefix-tree", &shader_prefix_tree_words },
    [WORDS_APPEND_ELEMENT] = { "append:element", &shader_append_element_words },
    [WORDS_APPEND_SUBGROUP] = { "append:subgroup", &shader_append_subgroup_words },
    [WORDS_APPEND_WORKGROUP] = { "append:workgroup", &shader_append_group_words },
};

const char *words_bench_name(enum words_kernel which)
{
    return words_bench_rows[which].name;
}

void words_bench_destroy(struct gpu *gpu, struct words_bench *bench)
{
    for (int i = 0; i < WORDS_KERNELS; i++) {
        kernel_destroy(gpu, &bench->kernels[i]);
    }
    *bench = (struct words_bench){ 0 };
}

bool words_bench_run(
    struct words_bench *bench, struct words *words, enum words_kernel which,
    const struct buffer *places, uint32_t count, uint32_t *kept, double *ms,
    struct problem *problem)
{
    struct kernel *kernel = &bench->kernels[which];
    const uint32_t block = words->compaction.block;
    const bool listed = which == WORDS_MARK || which == WORDS_MARK_COUNT || which == WORDS_PRESERVE;
    const bool append = which >= WORDS_APPEND_ELEMENT;
    const bool prefix = which >= WORDS_PREFIX_DOUBLING && !append;
    uint32_t constants[CONSTANTS];
    memcpy(constants, words->compaction.constants, sizeof constants);
    constants[CONSTANT_BLOCK] = block;
    const struct kernel_params params = {
        .name = words_bench_rows[which].name,
        .shader = words_bench_rows[which].shader,
        .constants = constants,
        .subgroup_size = words->compaction.subgroup_size,
    };
    if (!kernel->pipeline && !kernel_create(words->gpu, &params, kernel, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(words->gpu, problem);
    if (!cmd) {
        return false;
    }
    const struct binding table[BINDINGS] = {
        [BINDING_WORDS] = { &words->source },    [BINDING_LIST] = { &words->list },
        [BINDING_COUNTER] = { &words->counter }, [BINDING_BLOCKS] = { &words->compaction.blocks },
        [BINDING_REMOVALS] = { places },
    };
    const struct compact_push push = {
        .key = word_hash(WORD_NEVER, words->work),
        .lanes = count,
        .capacity = words->capacity,
    };
    const struct mark_push mark = { count, words->payload };
    const struct list_counter empty = { .capacity = words->capacity };
    struct run run;
    run_begin(&run, words->gpu, cmd, &words->timer);
    if (append) {
        run_update(&run, &words->counter, 0, &empty, sizeof empty);
    }
    if (which == WORDS_MARK_COUNT) {
        const uint64_t last = (words->count - 1) / GROUP; // workgroup, perhaps with fewer words
        const struct buffer *blocks = &words->compaction.blocks;
        run_fill(&run, blocks, 0, 4 * (last + 1), GROUP);
        run_fill(&run, blocks, 4 * last, 4, words->count - (uint32_t)last * GROUP);
    }
    uint32_t groups[2];
    run_fold(count > 0 ? count : 1, prefix && block > GROUP ? block : GROUP, groups);
    const void *pushed = listed ? (const void *)&mark : &push;
    run_dispatch(&run, kernel, table, pushed, groups[0], groups[1], 1);
    run_stamp_pass(&run, params.name);
    if (append) {
        run_copy(&run, &words->counter, 0, &words->counter_readback, 0, sizeof empty);
        run_use(&run, &words->counter_readback, ACCESS_HOST);
    }
    if (append || which == WORDS_PRESERVE) {
        run_use(&run, &words->list, ACCESS_COPY_FROM);
    }
    if (!gpu_submit_and_wait(words->gpu, cmd, problem)) {
        return false;
    }
    if (append) {
        *kept = ((const struct list_counter *)words->counter_readback.mapped)->count;
    }
    *ms = stopwatch_read_kind(words->gpu, &words->timer, STAGE_PASS);
    return true;
}
