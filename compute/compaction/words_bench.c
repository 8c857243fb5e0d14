#include "compute/compaction/words_bench.h"

#include "shaders/shared/blocks.h"

static const uint32_t copy_words[] =
#include "copy_words.inc"
    ;
static const struct kernel_info copy_info = {
    .name = "copy",
    .code = copy_words,
    .code_size = sizeof copy_words,
    .push_size = sizeof(struct compact_push),
    .ports = {
        PORT(struct compact_push, source, ACCESS_READ),
        PORT(struct compact_push, list, ACCESS_WRITE),
    },
};

static const uint32_t mark_words[] =
#include "mark.inc"
    ;
static const struct kernel_info mark_info = {
    .name = "mark",
    .code = mark_words,
    .code_size = sizeof mark_words,
    .push_size = sizeof(struct mark_push),
    .ports = {
        PORT(struct mark_push, removals, ACCESS_READ),
        PORT(struct mark_push, words, ACCESS_WRITE),
    },
};

static const uint32_t prefix_doubling_words[] =
#include "prefix_doubling_words.inc"
    ;
static const uint32_t prefix_tree_words[] =
#include "prefix_tree_words.inc"
    ;
#define PREFIX_INFO(label, words)                                                                  \
    {                                                                                              \
        .name = label, .code = words, .code_size = sizeof words,                                   \
        .push_size = sizeof(struct compact_push),                                                  \
        .ports = {                                                                                 \
            PORT(struct compact_push, source, ACCESS_READ),                                        \
            PORT(struct compact_push, list, ACCESS_WRITE),                                         \
        },                                                                                         \
    }
static const struct kernel_info prefix_infos[PREFIXES] = {
    [PREFIX_DOUBLING] = PREFIX_INFO("prefix-doubling", prefix_doubling_words),
    [PREFIX_TREE] = PREFIX_INFO("prefix-tree", prefix_tree_words),
};

// Like the methods: through descriptors if the words fit them.
static bool words_bench_fits_descriptors(const struct words *words)
{
    return descriptors_reach(words->gpu, words->list.size);
}

void words_bench_destroy(struct gpu *gpu, struct words_bench *bench)
{
    kernel_destroy(gpu, &bench->copy);
    kernel_destroy(gpu, &bench->mark);
    for (int i = 0; i < PREFIXES; i++) {
        kernel_destroy(gpu, &bench->prefix[i]);
    }
    *bench = (struct words_bench){ 0 };
}

// Creates the kernel at its first use.
static bool words_bench_make(
    const struct words *words, const struct kernel_info *info, struct kernel *kernel,
    struct problem *problem)
{
    const uint32_t constants[CONSTANTS] = {
        [CONSTANT_BOUND] = words_bench_fits_descriptors(words),
        [CONSTANT_BLOCK] = words->compaction.block,
    };
    const struct kernel_params params = {
        .constants = constants,
        .constant_count = CONSTANTS,
        .set_layout = words->descriptors.layout,
    };
    return kernel->pipeline || kernel_create(words->gpu, info, &params, kernel, problem);
}

static bool words_bench_bind(struct words *words, struct problem *problem)
{
    struct gpu *gpu = words->gpu;
    descriptors_set_storage(gpu, &words->descriptors, BINDING_OUT_WORDS, &words->list);
    return descriptors_set_part(
        gpu, &words->descriptors, BINDING_WORDS, &words->source, VK_FORMAT_R32_UINT, problem);
}

// Runs and times one pass over `count` elements, `each` per workgroup.
static bool words_bench_run(
    struct words *words, const struct kernel *kernel, const void *push, uint32_t count,
    uint32_t each, double *ms, struct problem *problem)
{
    VkCommandBuffer cmd = gpu_begin(words->gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, words->gpu, cmd, &words->timer);
    run.set = words->descriptors.set;
    uint32_t groups[2];
    run_fold(count, each, groups);
    run_dispatch(&run, kernel, push, groups[0], groups[1], 1);
    run_stamp_pass(&run, kernel->info->name);
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
    const struct compact_push push = {
        .source = words->source.address,
        .list = words->list.address,
        .lanes = count,
    };
    return words_bench_make(words, &copy_info, &bench->copy, problem) &&
           words_bench_bind(words, problem) &&
           words_bench_run(words, &bench->copy, &push, count, GROUP, ms, problem);
}

bool words_mark_run(
    struct words_bench *bench, struct words *words, const struct buffer *places, uint32_t count,
    double *ms, struct problem *problem)
{
    const struct mark_push push = {
        .removals = places->address,
        .words = words->source.address,
        .count = count,
    };
    return words_bench_make(words, &mark_info, &bench->mark, problem) &&
           words_bench_run(words, &bench->mark, &push, count, GROUP, ms, problem);
}

bool words_prefix_run(
    struct words_bench *bench, struct words *words, enum prefix prefix, double *ms,
    struct problem *problem)
{
    const struct compact_push push = {
        .source = words->source.address,
        .list = words->list.address,
        .lanes = words->count,
    };
    const uint32_t block = words->compaction.block, tile = block < GROUP ? GROUP : block;
    return words_bench_make(words, &prefix_infos[prefix], &bench->prefix[prefix], problem) &&
           words_bench_bind(words, problem) &&
           words_bench_run(words, &bench->prefix[prefix], &push, words->count, tile, ms, problem);
}
