#include "compute/compaction/words_bench.h"

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

bool words_bench_create(const struct words *words, struct words_bench *out, struct problem *problem)
{
    *out = (struct words_bench){ 0 };
    const struct kernel_params none = { 0 };
    bool fine = kernel_create(words->gpu, &mark_info, &none, &out->mark, problem);
    for (uint32_t bound = 0; bound < 2 && fine; bound++) {
        const uint32_t constants[CONSTANTS] = { [CONSTANT_BOUND] = bound };
        const struct kernel_params params = {
            .constants = constants,
            .constant_count = CONSTANTS,
            .set_layout = words->bindings.layout,
        };
        fine = kernel_create(words->gpu, &copy_info, &params, &out->copies[bound], problem);
    }
    if (!fine) {
        words_bench_destroy(words->gpu, out);
    }
    return fine;
}

void words_bench_destroy(struct gpu *gpu, struct words_bench *bench)
{
    kernel_destroy(gpu, &bench->copies[0]);
    kernel_destroy(gpu, &bench->copies[1]);
    kernel_destroy(gpu, &bench->mark);
    *bench = (struct words_bench){ 0 };
}

// One pass over `count` lanes, timed.
static bool run_alone(
    struct words *words, const struct kernel *kernel, const void *push, uint32_t count, double *ms,
    struct problem *problem)
{
    VkCommandBuffer cmd = gpu_begin(words->gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, words->gpu, cmd, &words->timer);
    run.set = words->bindings.set;
    uint32_t groups[2];
    run_fold(count, GROUP, groups);
    run_dispatch(&run, kernel, push, groups[0], groups[1], 1);
    run_stamp(&run, kernel->info->name);
    if (!gpu_submit_and_wait(words->gpu, cmd, problem)) {
        return false;
    }
    double stages[STOPWATCH_STAGES];
    stopwatch_read(words->gpu, &words->timer, stages);
    *ms = stages[0];
    return true;
}

bool words_copy_run(
    const struct words_bench *bench, struct words *words, uint32_t count, double *ms,
    struct problem *problem)
{
    struct gpu *gpu = words->gpu;
    const bool bound = words->list.size <= gpu->properties.limits.maxStorageBufferRange &&
                       words->source.size / 4 <= gpu->properties.limits.maxTexelBufferElements;
    if (!bindings_set_buffer(
            gpu, &words->bindings, BINDING_WORDS, &words->source, VK_FORMAT_R32_UINT, problem)) {
        return false;
    }
    bindings_set_storage(gpu, &words->bindings, BINDING_OUT_WORDS, &words->list);
    const struct compact_push push = {
        .source = words->source.address,
        .list = words->list.address,
        .lanes = count,
    };
    return run_alone(words, &bench->copies[bound], &push, count, ms, problem);
}

bool words_mark_run(
    const struct words_bench *bench, struct words *words, const struct buffer *places,
    uint32_t count, double *ms, struct problem *problem)
{
    const struct mark_push push = {
        .removals = places->address,
        .words = words->source.address,
        .count = count,
    };
    return run_alone(words, &bench->mark, &push, count, ms, problem);
}
