#include "app/bench/words_bench.h"

#include "shaders/shared/blocks.h"

#include <string.h>

void words_bench_destroy(struct gpu *gpu, struct words_bench *bench)
{
    kernel_destroy(gpu, &bench->copy);
    kernel_destroy(gpu, &bench->mark);
    for (int i = 0; i < PREFIXES; i++) {
        kernel_destroy(gpu, &bench->prefix[i]);
    }
    for (int i = 0; i < APPENDS; i++) {
        kernel_destroy(gpu, &bench->append[i]);
    }
    *bench = (struct words_bench){ 0 };
}

// One pass over `count` elements, `each` per workgroup.
struct words_pass {
    struct kernel *kernel; // created at its first use
    const char *name;
    const struct shader *shader;
    const struct buffer *removals;
    const void *push;
    uint32_t count, each;
    bool counts; // it makes a list, and counts its elements
};

static bool words_bench_run(
    struct words *words, const struct words_pass *pass, double *ms, struct problem *problem)
{
    uint32_t constants[CONSTANTS];
    memcpy(constants, words->compaction.constants, sizeof constants);
    constants[CONSTANT_BLOCK] = words->compaction.block;
    const struct kernel_params params = {
        .name = pass->name,
        .shader = pass->shader,
        .constants = constants,
        .subgroup_size = words->compaction.subgroup_size,
    };
    if (!pass->kernel->pipeline && !kernel_create(words->gpu, &params, pass->kernel, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(words->gpu, problem);
    if (!cmd) {
        return false;
    }
    const struct binding table[BINDINGS] = {
        [BINDING_WORDS] = { &words->source },
        [BINDING_LIST] = { &words->list },
        [BINDING_COUNTER] = { &words->counter },
        [BINDING_REMOVALS] = { pass->removals },
    };
    const struct list_counter empty = { .capacity = words->capacity };
    struct run run;
    run_begin(&run, words->gpu, cmd, &words->timer);
    if (pass->counts) {
        run_update(&run, &words->counter, 0, &empty, sizeof empty);
    }
    uint32_t groups[2];
    run_fold(pass->count, pass->each, groups);
    run_dispatch(&run, pass->kernel, table, pass->push, groups[0], groups[1], 1);
    run_stamp_pass(&run, pass->name);
    if (pass->counts) {
        run_copy(&run, &words->counter, 0, &words->counter_readback, 0, sizeof empty);
        run_use(&run, &words->counter_readback, ACCESS_HOST);
        run_use(&run, &words->list, ACCESS_COPY_FROM);
    }
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
        words,
        &(struct words_pass){
            .kernel = &bench->copy,
            .name = "copy",
            .shader = &shader_copy_words,
            .push = &push,
            .count = count,
            .each = GROUP,
        },
        ms, problem);
}

bool words_mark_run(
    struct words_bench *bench, struct words *words, const struct buffer *places, uint32_t count,
    double *ms, struct problem *problem)
{
    const struct mark_push push = { count, words->payload };
    return words_bench_run(
        words,
        &(struct words_pass){
            .kernel = &bench->mark,
            .name = "mark",
            .shader = &shader_mark,
            .removals = places,
            .push = &push,
            .count = count,
            .each = GROUP,
        },
        ms, problem);
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
    const uint32_t block = words->compaction.block;
    const struct compact_push push = {
        .lanes = words->count,
        .key = word_hash(WORD_NEVER, words->work),
    };
    return words_bench_run(
        words,
        &(struct words_pass){
            .kernel = &bench->prefix[prefix],
            .name = rows[prefix].name,
            .shader = rows[prefix].shader,
            .push = &push,
            .count = words->count,
            .each = block < GROUP ? GROUP : block,
        },
        ms, problem);
}

bool words_append_run(
    struct words_bench *bench, struct words *words, enum append append, uint32_t *kept, double *ms,
    struct problem *problem)
{
    static const struct shader *const shaders[APPENDS] = {
        [APPEND_ELEMENT] = &shader_append_element_words,
        [APPEND_SUBGROUP] = &shader_append_subgroup_words,
        [APPEND_GROUP] = &shader_append_group_words,
    };
    const struct compact_push push = {
        .key = word_hash(WORD_NEVER, words->work),
        .lanes = words->count,
        .capacity = words->capacity,
    };
    if (!words_bench_run(
            words,
            &(struct words_pass){
                .kernel = &bench->append[append],
                .name = "append",
                .shader = shaders[append],
                .push = &push,
                .count = words->count,
                .each = GROUP,
                .counts = true,
            },
            ms, problem)) {
        return false;
    }
    *kept = ((const struct list_counter *)words->counter_readback.mapped)->count;
    return true;
}
