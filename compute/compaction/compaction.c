#include "compute/compaction/compaction.h"

#include "compute/compaction/subgroups.h"

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
        PORT(struct arrange_push, counter, ACCESS_READ),
        PORT(struct arrange_push, arguments, ACCESS_WRITE),
    },
};

static struct kernel *compaction_kernel_slot(
    const struct compaction *compaction, const struct method *method, enum stream stream,
    uint32_t pass, bool bound)
{
    const uint32_t row = method_row(method);
    return &compaction->kernels[((row * STREAMS + stream) * METHOD_PASSES + pass) * 2 + bound];
}

// The row whose slot holds a state. Rows with the same functions share one.
static uint32_t compaction_state_row(const struct method_state *state)
{
    uint32_t row = 0;
    while (method_at(row)->state != state) {
        row++;
    }
    return row;
}

static bool compaction_owns_state(uint32_t row)
{
    const struct method_state *state = method_at(row)->state;
    return state && compaction_state_row(state) == row;
}

void *compaction_state(const struct compaction *compaction, const struct method *method)
{
    return compaction->states[compaction_state_row(method->state)];
}

static uint32_t compaction_kernel_slots(void)
{
    return method_count() * STREAMS * METHOD_PASSES * 2;
}

bool compaction_create(
    struct gpu *gpu, const struct compaction_params *params, struct compaction *out,
    struct problem *problem)
{
    *out = (struct compaction){
        .gpu = gpu,
        .set_layout = params->set_layout,
        .block = params->block ? params->block : BLOCK_DEFAULT,
        .subgroup_size = params->subgroup_size,
    };
    if (!subgroups_offered(gpu, params->subgroup_size, problem)) {
        goto fail;
    }
    memcpy(out->constants, params->constants, sizeof out->constants);
    out->kernels = calloc(compaction_kernel_slots(), sizeof *out->kernels);
    if (!out->kernels) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory preparing the methods");
        goto fail;
    }
    const uint64_t events = STREAMS * sizeof(struct compaction_events);
    const struct kernel_params none = { 0 };
    const struct buffer_params arguments = { .name = "compaction arguments", .size = 16 };
    const struct buffer_params events_params = { .name = "compaction events", .size = events };
    const struct buffer_params readback = { "compaction events, read back", events,
                                            BUFFER_READBACK };
    if (!kernel_create(gpu, &arrange_info, &none, &out->arrange, problem) ||
        !buffer_create(gpu, &arguments, &out->arguments, problem) ||
        !buffer_create(gpu, &events_params, &out->events, problem) ||
        !buffer_create(gpu, &readback, &out->events_readback, problem)) {
        goto fail;
    }
    memset(out->events_readback.mapped, 0, events);
    for (uint32_t row = 0; row < method_count(); row++) {
        if (compaction_owns_state(row)) {
            out->states[row] = method_at(row)->state->create(gpu, problem);
            if (!out->states[row]) {
                goto fail;
            }
        }
    }
    return true;
fail:
    compaction_destroy(out);
    return false;
}

void compaction_strip(struct compaction *compaction)
{
    buffer_destroy(compaction->gpu, &compaction->masks);
    buffer_destroy(compaction->gpu, &compaction->blocks);
    buffer_destroy(compaction->gpu, &compaction->levels);
    for (uint32_t row = 0; row < METHODS_MOST; row++) {
        if (compaction->states[row]) {
            method_at(row)->state->strip(compaction->states[row]);
        }
    }
}

void compaction_destroy(struct compaction *compaction)
{
    struct gpu *gpu = compaction->gpu;
    for (uint32_t i = 0; compaction->kernels && i < compaction_kernel_slots(); i++) {
        kernel_destroy(gpu, &compaction->kernels[i]);
    }
    free(compaction->kernels);
    for (uint32_t row = 0; row < METHODS_MOST; row++) {
        if (compaction->states[row]) {
            method_at(row)->state->destroy(compaction->states[row]);
        }
    }
    if (gpu) {
        kernel_destroy(gpu, &compaction->arrange);
        buffer_destroy(gpu, &compaction->masks);
        buffer_destroy(gpu, &compaction->blocks);
        buffer_destroy(gpu, &compaction->levels);
        buffer_destroy(gpu, &compaction->arguments);
        buffer_destroy(gpu, &compaction->events);
        buffer_destroy(gpu, &compaction->events_readback);
    }
    *compaction = (struct compaction){ 0 };
}

static uint64_t compaction_greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static struct compaction_scratch compaction_scratch_size(
    const struct compaction *compaction, const struct method *method,
    const struct compaction_size *size, enum stream stream)
{
    return method->scratch ? method->scratch(size, stream, compaction->block)
                           : (struct compaction_scratch){ 0 };
}

bool compaction_has_kernels(
    const struct compaction *compaction, const struct method *method, enum stream stream)
{
    for (uint32_t pass = 0; pass < METHOD_PASSES && method->passes[pass].kernels; pass++) {
        if (compaction_kernel_slot(compaction, method, stream, pass, true)->pipeline ||
            compaction_kernel_slot(compaction, method, stream, pass, false)->pipeline) {
            return true;
        }
    }
    return false;
}

static bool compaction_make_kernels(
    struct compaction *compaction, const struct method *method, enum stream stream, uint32_t lanes,
    bool bound, struct problem *problem)
{
    uint32_t constants[CONSTANTS];
    memcpy(constants, compaction->constants, sizeof constants);
    constants[CONSTANT_BOUND] = bound;
    if (method->constants) {
        method->constants(compaction, constants);
    }
    const struct kernel_params params = {
        constants,
        CONSTANTS,
        compaction->set_layout,
        compaction->subgroup_size,
    };
    for (uint32_t pass = 0; pass < METHOD_PASSES && method->passes[pass].kernels; pass++) {
        struct kernel *kernel = compaction_kernel_slot(compaction, method, stream, pass, bound);
        if (!kernel->pipeline && method->passes[pass].kernels[stream].code &&
            (!method->needs || method->needs(compaction->gpu, pass, stream, lanes)) &&
            !kernel_create(
                compaction->gpu, &method->passes[pass].kernels[stream], &params, kernel, problem)) {
            return false;
        }
    }
    return true;
}

bool compaction_prepare(
    struct compaction *compaction, const struct method *method,
    const struct compaction_size size[STREAMS], bool bound, struct problem *problem)
{
    const struct method *methods[STREAMS];
    for (int stream = 0; stream < STREAMS; stream++) {
        methods[stream] = method;
    }
    return compaction_prepare_each(compaction, methods, size, bound, problem);
}

bool compaction_prepare_each(
    struct compaction *compaction, const struct method *const methods[STREAMS],
    const struct compaction_size size[STREAMS], bool bound, struct problem *problem)
{
    uint64_t masks = 0, blocks = 0, levels = 0;
    for (int stream = 0; stream < STREAMS; stream++) {
        if (size[stream].lanes == 0) {
            continue;
        }
        const struct method *method = methods[stream];
        assert(!method->selects);
        const uint64_t length = method->removes ? size[stream].room : size[stream].lanes;
        const char *why = method_refuses(method, compaction->gpu, length);
        if (why) {
            return problem_set(
                problem, PROBLEM_UNSUPPORTED, "%s cannot run here: %s", method->name, why);
        }
        if (method->check && !method->check(method, compaction, problem)) {
            return false;
        }
        const struct compaction_scratch need =
            compaction_scratch_size(compaction, method, &size[stream], stream);
        masks = compaction_greater(masks, need.masks);
        blocks = compaction_greater(blocks, need.blocks);
        levels = compaction_greater(levels, need.levels);
    }
    bound =
        bound &&
        descriptors_reach(compaction->gpu, compaction_greater(masks * 4, compaction->masks.size)) &&
        descriptors_reach(compaction->gpu, compaction_greater(levels * 4, compaction->levels.size));
    for (int stream = 0; stream < STREAMS; stream++) {
        if (size[stream].lanes &&
            !compaction_make_kernels(
                compaction, methods[stream], stream, size[stream].lanes, bound, problem)) {
            return false;
        }
        const struct method_state *state = methods[stream]->state;
        if (size[stream].lanes && state &&
            !state->prepare(compaction_state(compaction, methods[stream]), stream, size, problem)) {
            return false;
        }
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
        if ((needs[i].buffer->size < bytes || !needs[i].buffer->handle) &&
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
    compaction->bound = bound;
    return true;
fail:
    for (int i = 0; i < 3; i++) {
        buffer_destroy(compaction->gpu, &made[i]);
    }
    return false;
}

// Scratch and prepared state of one method for these streams.
static uint64_t compaction_method_bytes(
    const struct gpu *gpu, const struct method *method, const struct compaction_size size[STREAMS])
{
    const struct compaction compaction = { .block = BLOCK_DEFAULT };
    struct compaction_scratch most = { 0 };
    uint64_t bytes = 0;
    for (int stream = 0; stream < STREAMS; stream++) {
        if (size[stream].lanes == 0) {
            continue;
        }
        const struct compaction_scratch need =
            compaction_scratch_size(&compaction, method, &size[stream], stream);
        most.masks = compaction_greater(most.masks, need.masks);
        most.blocks = compaction_greater(most.blocks, need.blocks);
        most.levels = compaction_greater(most.levels, need.levels);
    }
    bytes += method->state ? method->state->prepared_bytes(gpu, size) : 0;
    return bytes + buffer_bytes(gpu, most.masks * sizeof(uint32_t)) +
           buffer_bytes(gpu, most.blocks * sizeof(uint32_t)) +
           buffer_bytes(gpu, most.levels * sizeof(uint32_t));
}

// Whether `row` may run when `method` was asked for; NULL: any. `auto` selects none that removes.
static bool compaction_may_run(const struct method *method, const struct method *row)
{
    return method && !method->selects ? row == method
                                      : !row->selects && !row->cpu && !(method && row->removes);
}

uint64_t compaction_bytes(
    const struct gpu *gpu, const struct method *method, const struct compaction_size size[STREAMS])
{
    const uint64_t events = STREAMS * sizeof(struct compaction_events);
    uint64_t scratch = 0, states = 0;
    for (uint32_t row = 0; row < method_count(); row++) {
        const struct method *other = method_at(row);
        scratch = compaction_may_run(method, other)
                      ? compaction_greater(scratch, compaction_method_bytes(gpu, other, size))
                      : scratch;
        states += compaction_owns_state(row) ? other->state->created_bytes(gpu) : 0;
    }
    return scratch + states + buffer_bytes(gpu, 16) + 2 * buffer_bytes(gpu, events);
}

bool compaction_bind(
    const struct compaction *compaction, struct descriptors *descriptors, struct problem *problem)
{
    struct gpu *gpu = compaction->gpu;
    descriptors_set_storage(gpu, descriptors, BINDING_OUT_MASKS, &compaction->masks);
    descriptors_set_storage(gpu, descriptors, BINDING_OUT_PARTIALS, &compaction->levels);
    return descriptors_set_part(
               gpu, descriptors, BINDING_MASKS, &compaction->masks, VK_FORMAT_R32_UINT, problem) &&
           descriptors_set_part(
               gpu, descriptors, BINDING_LEVELS, &compaction->levels, VK_FORMAT_R32_UINT,
               problem) &&
           descriptors_set_part(
               gpu, descriptors, BINDING_PARTIALS, &compaction->levels, VK_FORMAT_R32G32B32A32_UINT,
               problem);
}

// All methods except `writes`, which may be NULL, forget the stream's list.
static void compaction_forget_stream(
    const struct compaction *compaction, enum stream stream, const struct method *writes)
{
    for (uint32_t row = 0; row < METHODS_MOST; row++) {
        if (compaction->states[row] && !(writes && writes->state == method_at(row)->state)) {
            method_at(row)->state->forget(compaction->states[row], stream);
        }
    }
}

void compaction_forget(const struct compaction *compaction)
{
    for (int stream = 0; stream < STREAMS; stream++) {
        compaction_forget_stream(compaction, stream, NULL);
    }
}

void compaction_finished(const struct compaction *compaction, bool whole)
{
    for (uint32_t row = 0; row < METHODS_MOST; row++) {
        if (compaction->states[row]) {
            method_at(row)->state->finished(compaction->states[row], whole);
        }
    }
}

struct compaction_events
compaction_read_events(const struct compaction *compaction, enum stream stream)
{
    const struct compaction_events *events = compaction->events_readback.mapped;
    return events[stream];
}

const struct kernel *compaction_kernel(
    const struct compaction *compaction, const struct compaction_run *what, uint32_t pass)
{
    return compaction_kernel_slot(compaction, what->method, what->stream, pass, compaction->bound);
}

struct compact_push
compaction_push(const struct compaction *compaction, const struct compaction_run *what)
{
    const struct compaction_size *size = &compaction->size[what->stream];
    return (struct compact_push){
        .source = what->source,
        .source_counter = what->source_counter,
        .row_masks = what->row_masks,
        .valid_masks = what->valid_masks,
        .counter = what->counter,
        .list = what->list,
        .key = what->key,
        .lanes = size->lanes,
        .every = what->every,
    };
}

void compaction_stamp(struct run *run, const struct compaction_run *what, const char *name)
{
    if (what->stages) {
        run_stamp_pass(run, name);
    }
}

void compaction_dispatch_lanes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const void *push)
{
    const struct kernel *kernel = compaction_kernel(compaction, what, pass);
    if (what->lane_arguments) {
        run_dispatch_indirect(run, kernel, push, what->lane_arguments, what->lane_arguments_offset);
    } else {
        uint32_t groups[2];
        run_fold(compaction->size[what->stream].lanes, GROUP, groups);
        run_dispatch(run, kernel, push, groups[0], groups[1], 1);
    }
    compaction_stamp(run, what, kernel->info->name);
}

static void compaction_dispatch_items(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const void *push)
{
    const struct kernel *kernel = compaction_kernel(compaction, what, pass);
    if (what->lane_arguments) {
        run_dispatch_indirect(run, kernel, push, what->lane_arguments, what->item_arguments_offset);
    } else {
        uint32_t groups[2];
        run_fold(compaction->size[what->stream].lanes, GROUP * ITEM_LANES, groups);
        run_dispatch(run, kernel, push, groups[0], groups[1], 1);
    }
    compaction_stamp(run, what, kernel->info->name);
}

void compaction_record_passes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    const void *push)
{
    const struct method *method = what->method;
    for (uint32_t pass = 0; pass < METHOD_PASSES && method->passes[pass].kernels; pass++) {
        if (method->passes[pass].shape == PASS_LANES) {
            compaction_dispatch_lanes(compaction, run, what, pass, push);
        } else if (method->passes[pass].shape == PASS_ITEMS) {
            compaction_dispatch_items(compaction, run, what, pass, push);
        } else {
            const struct kernel *kernel = compaction_kernel(compaction, what, pass);
            const uint32_t ranges = compaction->size[what->stream].lanes / STRETCH + 1;
            const uint32_t most = method->passes[pass].shape == PASS_RANGES ? RANGES : 1;
            run_dispatch(run, kernel, push, ranges < most ? ranges : most, 1, 1);
            compaction_stamp(run, what, kernel->info->name);
        }
    }
}

static void compaction_record_method(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    if (what->method->record) {
        what->method->record(compaction, run, what);
    } else {
        const struct compact_push push = compaction_push(compaction, what);
        compaction_record_passes(compaction, run, what, &push);
    }
}

void compaction_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    const uint64_t size = sizeof(struct compaction_events), at = what->stream * size;
    compaction_forget_stream(compaction, what->stream, what->method);
    if (!what->method->has_events) {
        compaction_record_method(compaction, run, what);
        return;
    }
    run_fill(run, &compaction->events, at, size, 0);
    compaction_record_method(compaction, run, what);
    run_copy(run, &compaction->events, at, &compaction->events_readback, at, size);
    run_use_part(run, &compaction->events_readback, at, ACCESS_HOST);
}
