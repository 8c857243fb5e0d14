#include "compute/compaction/words.h"

#include <math.h>
#include <string.h>

bool words_create(
    struct gpu *gpu, const struct words_params *params, struct words *out, struct problem *problem)
{
    *out = (struct words){
        .gpu = gpu,
        .count = params->count,
        .most = params->count,
        .payload = params->payload,
        .work = params->work,
        .counted = params->counted,
        .capacity = params->capacity ? params->capacity : params->count,
    };
    selector_set_times(&out->selector, params->times);
    const uint64_t each = 1 + (uint64_t)out->payload; // words
    const uint64_t longest = out->count > out->capacity ? out->count : out->capacity;
    const struct buffer_params source = {
        .name = "words",
        .size = (out->count * each + WORDS_MARGIN) * sizeof(uint32_t),
        .texels = { VK_FORMAT_R32_UINT },
    };
    const struct buffer_params list = {
        .name = "kept words",
        .size = (longest * each + WORDS_MARGIN) * sizeof(uint32_t),
        .texels = { VK_FORMAT_R32_UINT },
    };
    const uint32_t constants[CONSTANTS] = {
        [CONSTANT_COUNTED] = params->counted,
        [CONSTANT_PAYLOAD] = params->payload,
        [CONSTANT_WORK] = params->work,
    };
    const uint64_t head = sizeof(struct list_counter);
    if (!stopwatch_create(gpu, &out->timer, problem) ||
        !compaction_create(
            gpu,
            &(struct compaction_params){
                .constants = constants,
                .block = params->block,
                .subgroup_size = params->subgroup_size,
            },
            &out->compaction, problem) ||
        !buffer_create(gpu, &source, &out->source, problem) ||
        !buffer_create(gpu, &list, &out->list, problem) ||
        !buffer_create(gpu, &(struct buffer_params){ "list head", head }, &out->counter, problem) ||
        !buffer_create(
            gpu, &(struct buffer_params){ "list head, read back", head, BUFFER_READBACK },
            &out->counter_readback, problem) ||
        !buffer_create(
            gpu, &(struct buffer_params){ "removals head", head }, &out->removals_counter,
            problem) ||
        !buffer_create(
            gpu, &(struct buffer_params){ "words head", head }, &out->source_counter, problem) ||
        !buffer_create(
            gpu, &(struct buffer_params){ "words arguments", 16 }, &out->source_arguments,
            problem)) {
        words_destroy(out);
        return false;
    }
    return true;
}

void words_destroy(struct words *words)
{
    struct gpu *gpu = words->gpu;
    if (gpu) {
        compaction_destroy(&words->compaction);
        stopwatch_destroy(gpu, &words->timer);
        buffer_destroy(gpu, &words->source);
        buffer_destroy(gpu, &words->list);
        buffer_destroy(gpu, &words->counter);
        buffer_destroy(gpu, &words->counter_readback);
        buffer_destroy(gpu, &words->removals);
        buffer_destroy(gpu, &words->removals_counter);
        buffer_destroy(gpu, &words->source_counter);
        buffer_destroy(gpu, &words->source_arguments);
    }
    *words = (struct words){ 0 };
}

static bool
words_select(struct words *words, const struct words_step *step, struct problem *problem)
{
    words->selection = (struct selection){ .method = step->method };
    if (!step->method->selects) {
        return true;
    }
    struct selector_stream stream = {
        .expected = {
            .stream = STREAM_WORDS,
            .lanes = words->count,
            .density = words->has_density ? words->density : 0.5,
            .run = words->run,
        },
        .guessed = !words->has_density,
        .most_lanes = words->count,
        .in_place = step->in_place,
    };
    for (uint32_t row = 0; row < method_count(); row++) {
        stream.ready[row] =
            compaction_has_kernels(&words->compaction, method_at(row), STREAM_WORDS);
    }
    selector_select(&words->selector, words->gpu, &stream, &words->selection);
    return words->selection.method ||
           problem_set(
               problem, PROBLEM_UNSUPPORTED, "%s: %s", step->method->name, words->selection.why);
}

static bool words_in_place(const struct words_step *step)
{
    return step->in_place || step->method->removes;
}

// Whether the run stores orphans over the given removals, so that it needs a copy of them.
static bool words_destroys_removals(const struct words *words, const struct words_step *step)
{
    return step->removals && words->selection.method->form == FORM_IN_PLACE;
}

bool words_prepare(struct words *words, const struct words_step *step, struct problem *problem)
{
    if (!words_select(words, step, problem)) {
        return false;
    }
    const struct buffer_params removals = { .name = "removals", .size = (uint64_t)words->most * 4 };
    if (words_destroys_removals(words, step) && !words->removals.handle &&
        !buffer_create(words->gpu, &removals, &words->removals, problem)) {
        return false;
    }
    const struct method *method = words->selection.method;
    const struct compaction_size sizes[STREAMS] = {
        [STREAM_WORDS] = {
            .lanes = words->counted ? words->most : words->count,
            .concatenate = step->concatenate,
            .in_place = step->in_place && !method->removes,
            .capacity = words->count,
        },
    };
    return compaction_prepare(&words->compaction, method, sizes, problem);
}

// Records one compaction of a stream that has been prepared.
static void words_record(struct words *words, struct run *run, const struct words_step *step)
{
    const struct list_counter empty = { .capacity = words->capacity };
    run_update(run, &words->counter, 0, &empty, sizeof empty);
    if (words->count > 0 && words_in_place(step)) {
        const uint64_t added = (uint64_t)step->added * 4, old = words->count * 4ull - added;
        if (old > 0) {
            run_copy(run, &words->source, 0, &words->list, 0, old);
        }
        if (words_destroys_removals(words, step) && step->removal_count > 0) {
            run_copy(
                run, step->removals, 0, &words->removals, 0, (uint64_t)step->removal_count * 4);
        }
        run_stamp(run, STAGE_COPY);
        if (added > 0) {
            run_copy(run, &words->source, old, &words->list, old, added);
            run_stamp(run, STAGE_ADDED);
        }
    }
    if (step->removals) {
        const struct list_counter given = { step->removal_count, step->removal_count };
        run_update(run, &words->removals_counter, 0, &given, sizeof given);
    }
    if (words->counted) {
        const struct list_counter given = { words->count, words->count };
        uint32_t arguments[4] = { 0, 0, 1 };
        run_fold(words->count, GROUP, arguments);
        run_update(run, &words->source_counter, 0, &given, sizeof given);
        run_update(run, &words->source_arguments, 0, arguments, sizeof arguments);
    }
    if (words->count > 0 || words->counted) {
        const struct buffer *source = words_in_place(step) ? &words->list : &words->source;
        const struct binding table[BINDINGS] = {
            [BINDING_WORDS] = { source },
            [BINDING_LIST] = { &words->list },
            [BINDING_COUNTER] = { &words->counter },
            [BINDING_WORDS_COUNTER] = { words->counted ? &words->source_counter : NULL },
            [BINDING_REMOVALS] = { words_destroys_removals(words, step) ? &words->removals
                                                                        : step->removals },
            [BINDING_REMOVALS_COUNTER] = { step->removals ? &words->removals_counter : NULL },
        };
        compaction_record(
            &words->compaction, run,
            &(struct compaction_run){
                .method = words->selection.method,
                .stream = STREAM_WORDS,
                .table = table,
                .capacity = words->capacity,
                .key = word_hash(WORD_NEVER, words->work),
                .lane_arguments = words->counted ? &words->source_arguments : NULL,
                .first_pass = step->first_pass,
                .drop = step->drop,
                .stages = step->stages,
            });
    }
    if (!step->stages) {
        run_stamp(run, STAGE_COMPACTION);
    }
    run_copy(run, &words->counter, 0, &words->counter_readback, 0, sizeof empty);
    run_use(run, &words->counter_readback, ACCESS_HOST);
    run_use(run, &words->list, ACCESS_COPY_FROM);
}

bool words_run(
    struct words *words, const struct words_step *step, struct words_result *out,
    struct problem *problem)
{
    *out = (struct words_result){ 0 };
    if ((words->count > 0 || words->counted) && !words_prepare(words, step, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(words->gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, words->gpu, cmd, &words->timer);
    words_record(words, &run, step);
    if (!gpu_submit_and_wait(words->gpu, cmd, problem)) {
        return false;
    }
    const struct list_counter *head = words->counter_readback.mapped;
    out->method = words->count > 0 ? words->selection.method : step->method;
    memcpy(out->why, words->selection.why, sizeof out->why);
    out->kept = head->count;
    out->wrapped = head->wrapped != 0;
    if (out->method->has_events && words->count > 0) {
        out->events = compaction_read_events(&words->compaction, STREAM_WORDS);
    }
    out->stage_count = words->timer.count;
    memcpy(out->stages, words->timer.stages, sizeof out->stages);
    stopwatch_read(words->gpu, &words->timer, out->stage_ms);
    for (uint32_t i = 0; i < out->stage_count; i++) {
        out->ms += out->stages[i].kind == STAGE_COPY ? 0 : out->stage_ms[i];
    }
    if (words->count > 0) {
        words->density = (double)out->kept / words->count;
        words->has_density = true;
    }
    if (words->count > 0 && step->method->selects) {
        const struct times_stream was = {
            STREAM_WORDS,
            words->count,
            words->density,
            words->run,
        };
        selector_correct(&words->selector, words->gpu, &was, out->method, out->ms);
    }
    return true;
}
