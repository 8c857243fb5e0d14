#include "app/bench/words_bench.h"

#include "shaders/shared/blocks.h"

void words_bench_destroy(struct gpu *gpu, struct words_bench *bench)
{
    kernel_destroy(gpu, &bench->copy);
    kernel_destroy(gpu, &bench->mark);
    for (int i = 0; i < PREFIXES; i++) {
        kernel_destroy(gpu, &bench->prefix[i]);
    }
    *bench = (struct words_bench){ 0 };
}

// Runs and times one pass over `count` elements, `each` per workgroup. Creates the kernel at its
// first use.
static bool words_bench_run(
    struct words *words, struct kernel *kernel, const char *name, const struct shader *shader,
    const struct buffer *removals, const void *push, uint32_t count, uint32_t each, double *ms,
    struct problem *problem)
{
    const uint32_t constants[CONSTANTS] = { [CONSTANT_BLOCK] = words->compaction.block };
    const struct kernel_params params = {
        .name = name,
        .shader = shader,
        .constants = constants,
    };
    if (!kernel->pipeline && !kernel_create(words->gpu, &params, kernel, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(words->gpu, problem);
    if (!cmd) {
        return false;
    }
    const struct binding table[BINDINGS] = {
        [BINDING_WORDS] = { &words->source },
        [BINDING_LIST] = { &words->list },
        [BINDING_REMOVALS] = { removals },
    };
    struct run run;
    run_begin(&run, words->gpu, cmd, &words->timer);
    uint32_t groups[2];
    run_fold(count, each, groups);
    run_dispatch(&run, kernel, table, push, groups[0], groups[1], 1);
    run_stamp_pass(&run, name);
    if (!gpu_submit_and_wait(words->gpu, cmd, problem)) {
        return false;
    }
    *ms = stopwatch_read_kind(words->gpu, &words->timer, STAGE_PASS);
    return true;
}

bool words_copy_run(
    struct words_bench *bench, struct words *words, uint32_t count, double *ms,
    struct problem *problem)
{
    const struct compact_push push = { .lanes = count };
    return words_bench_run(
        words, &bench->copy, "copy", &shader_copy_words, NULL, &push, count, GROUP, ms, problem);
}

bool words_mark_run(
    struct words_bench *bench, struct words *words, const struct buffer *places, uint32_t count,
    double *ms, struct problem *problem)
{
    const struct mark_push push = { count };
    return words_bench_run(
        words, &bench->mark, "mark", &shader_mark, places, &push, count, GROUP, ms, problem);
}

bool words_prefix_run(
    struct words_bench *bench, struct words *words, enum prefix prefix, double *ms,
    struct problem *problem)
{
    static const struct {
        const char *name;
        const struct shader *shader;
    } rows[PREFIXES] = {
        [PREFIX_DOUBLING] = { "prefix-doubling", &shader_prefix_doubling_words },
        [PREFIX_TREE] = { "prefix-tree", &shader_prefix_tree_words },
    };
    const struct compact_push push = { .lanes = words->count };
    const uint32_t block = words->compaction.block, tile = block < GROUP ? GROUP : block;
    return words_bench_run(
        words, &bench->prefix[prefix], rows[prefix].name, rows[prefix].shader, NULL, &push,
        words->count, tile, ms, problem);
}
