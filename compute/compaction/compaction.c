#include "compute/compaction/compaction.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACHES 5 // 1, 2, 4, 8 or 16 lanes of a stream per lane of a kernel

static struct kernel *compaction_kernel_slot(
    const struct compaction *compaction, const struct method *method, enum stream stream,
    uint32_t pass, bool in_place)
{
    uint32_t slot = (method_row(method) * STREAMS + stream) * METHOD_PASSES + pass;
    uint32_t each = 0;
    while (compaction->each[stream] >> (each + 1)) {
        each++;
    }
    assert(each < EACHES);
    slot = (slot * EACHES + each) * 2 + in_place;
    return &compaction->kernels[slot];
}

// The row under whose number a state is stored. Rows with the same functions share a state.
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
    return method_count() * STREAMS * METHOD_PASSES * EACHES * 2 + 1; // the last one is `arrange`
}

void compaction_constants(const struct gpu *gpu, uint32_t constants[CONSTANTS])
{
    const struct traits *traits = gpu->traits;
    constants[CONSTANT_LANES_APART] = gpu->lanes_apart;
    constants[CONSTANT_CLASSIFY_ROWS] = traits->classify_rows;
    constants[CONSTANT_VERTICES_EACH] = traits->vertices_each;
    constants[CONSTANT_TRIANGLES_CELLS] = traits->triangles_cells;
    constants[CONSTANT_SHARED_FOURS] = traits->shared_fours;
    constants[CONSTANT_EACH] = traits->most_each;
    constants[CONSTANT_SHUFFLES] = traits->shuffles;
    constants[CONSTANT_GROUP_APPENDS] = traits->group_appends;
    constants[CONSTANT_FOLDS] = traits->folds;
}

// Lanes of a stream per lane of a kernel. Fewer, if there would be too few workgroups.
static uint32_t compaction_each(const struct gpu *gpu, uint32_t lanes)
{
    uint32_t each = gpu->traits->most_each;
    while (each > 1 && lanes / (GROUP * each) < gpu->traits->fewest_groups) {
        each /= 2;
    }
    return each;
}

static const struct buffer_params compaction_arguments = {
    .name = "compaction arguments",
    .size = 16,
};
static const struct buffer_params compaction_events = {
    .name = "compaction events",
    .size = STREAMS_OF_ALL * BUFFER_SLOT,
    .slots = true,
};
static const struct buffer_params compaction_events_readback = {
    .name = "compaction events, read back",
    .size = STREAMS_OF_ALL * BUFFER_SLOT,
    .memory = BUFFER_READBACK,
    .slots = true,
};

bool compaction_offers(const struct gpu *gpu, uint32_t size, struct problem *problem)
{
    if (size == 0) {
        return true;
    }
    const uint32_t least = gpu->subgroup_least, most = gpu->subgroup_most;
    if (least == 0) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "subgroup size %u: this device does not let kernels request a size; leave it out",
            size);
    }
    if (size < least || size > most || (size & (size - 1)) != 0) {
        char offered[64];
        snprintf(
            offered, sizeof offered, least == most ? "%u only" : "the powers of two from %u to %u",
            least, most);
        return problem_set(
            problem, PROBLEM_UNSUPPORTED, "subgroup size %u: this device offers %s", size, offered);
    }
    if (GROUP / size > gpu->subgroups_most) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "subgroup size %u: a workgroup of %u lanes would have %u subgroups, this device allows "
            "%u; take a size of %u or more",
            size, GROUP, GROUP / size, gpu->subgroups_most, GROUP / gpu->subgroups_most);
    }
    return true;
}

bool compaction_create(
    struct gpu *gpu, const struct compaction_params *params, struct compaction *out,
    struct problem *problem)
{
    *out = (struct compaction){
        .gpu = gpu,
        .block = params->block ? params->block : BLOCK_DEFAULT,
        .subgroup_size = params->subgroup_size,
    };
    if (!compaction_offers(gpu, params->subgroup_size, problem)) {
        goto fail;
    }
    memcpy(out->constants, params->constants, sizeof out->constants);
    compaction_constants(gpu, out->constants);
    out->kernels = calloc(compaction_kernel_slots(), sizeof *out->kernels);
    if (!out->kernels) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory preparing the methods");
        goto fail;
    }
    out->arrange = &out->kernels[compaction_kernel_slots() - 1];
    const struct kernel_params arrange = { .name = "arrange", .shader = &shader_arrange };
    if (!kernel_create(gpu, &arrange, out->arrange, problem) ||
        !buffer_create(gpu, &compaction_arguments, &out->arguments, problem) ||
        !buffer_create(gpu, &compaction_events, &out->events, problem) ||
        !buffer_create(gpu, &compaction_events_readback, &out->events_readback, problem)) {
        goto fail;
    }
    memset(out->events_readback.mapped, 0, out->events_readback.size);
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
    if (compaction->kernels) {
        kernels_destroy(gpu, compaction->kernels, compaction_kernel_slots());
    }
    free(compaction->kernels);
    for (uint32_t row = 0; row < METHODS_MOST; row++) {
        if (compaction->states[row]) {
            method_at(row)->state->destroy(compaction->states[row]);
        }
    }
    if (gpu) {
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
    for (uint32_t pass = 0; pass < METHOD_PASSES && method->passes[pass].name; pass++) {
        if (compaction_kernel_slot(compaction, method, stream, pass, true)->pipeline ||
            compaction_kernel_slot(compaction, method, stream, pass, false)->pipeline) {
            return true;
        }
    }
    return false;
}

static bool compaction_make_kernels(
    struct compaction *compaction, const struct method *method, enum stream stream,
    const struct compaction_size *size, struct problem *problem)
{
    uint32_t constants[CONSTANTS];
    memcpy(constants, compaction->constants, sizeof constants);
    constants[CONSTANT_IN_PLACE] = size->in_place;
    constants[CONSTANT_EACH] = compaction->each[stream];
    constants[CONSTANT_FORM] = method->form;
    if (method->constants) {
        method->constants(compaction, stream, constants);
    }
    for (uint32_t pass = 0; pass < METHOD_PASSES && method->passes[pass].name; pass++) {
        const struct kernel_params params = {
            .alternates = compaction->constants[CONSTANT_COUNTED],
            .name = method->passes[pass].name,
            .shader = method->passes[pass].shaders[stream],
            .constants = constants,
            .subgroup_size = compaction->subgroup_size,
        };
        struct kernel *kernel =
            compaction_kernel_slot(compaction, method, stream, pass, size->in_place);
        if (!kernel->pipeline && params.shader &&
            (!method->needs || method->needs(compaction->gpu, pass, stream, size->lanes)) &&
            !kernel_create(compaction->gpu, &params, kernel, problem)) {
            return false;
        }
    }
    return true;
}

// The shared scratch buffers.
enum { SCRATCH_MASKS, SCRATCH_BLOCKS, SCRATCH_LEVELS, SCRATCHES };

static struct buffer_params
compaction_scratch_params(const struct compaction_scratch *scratch, int which)
{
    switch (which) {
    case SCRATCH_MASKS:
        return (struct buffer_params){
            .name = "compaction masks",
            .size = scratch->masks * sizeof(uint32_t),
            .texels = { VK_FORMAT_R32_UINT },
        };
    case SCRATCH_BLOCKS:
        return (struct buffer_params){
            .name = "compaction blocks",
            .size = scratch->blocks * sizeof(uint32_t),
        };
    default:
        return (struct buffer_params){
            .name = "pyramid levels",
            .size = scratch->levels * sizeof(uint32_t),
            .texels = { VK_FORMAT_R32_UINT, VK_FORMAT_R32G32B32A32_UINT },
        };
    }
}

static void
compaction_scratch_raise(struct compaction_scratch *most, const struct compaction_scratch *need)
{
    most->masks = compaction_greater(most->masks, need->masks);
    most->blocks = compaction_greater(most->blocks, need->blocks);
    most->levels = compaction_greater(most->levels, need->levels);
}

bool compaction_prepare(
    struct compaction *compaction, const struct method *method,
    const struct compaction_size size[STREAMS], struct problem *problem)
{
    const struct method *methods[STREAMS];
    for (int stream = 0; stream < STREAMS; stream++) {
        methods[stream] = method;
    }
    return compaction_prepare_each(compaction, methods, size, problem);
}

bool compaction_prepare_each(
    struct compaction *compaction, const struct method *const methods[STREAMS],
    const struct compaction_size size[STREAMS], struct problem *problem)
{
    struct buffer made[SCRATCHES] = { 0 };
    struct compaction_scratch scratch = { 0 };
    uint32_t before[STREAMS];
    memcpy(before, compaction->each, sizeof before);
    for (int stream = 0; stream < STREAMS; stream++) {
        if (size[stream].lanes == 0) {
            continue;
        }
        const struct method *method = methods[stream];
        assert(!method->selects);
        if (compaction->constants[CONSTANT_COUNTED] && method->removes) {
            return problem_set(
                problem, PROBLEM_UNSUPPORTED,
                "%s cannot run here: the host must know the length of its list, and only the "
                "device knows it",
                method->name);
        }
        const uint64_t length = method->removes ? size[stream].capacity : size[stream].lanes;
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
        compaction_scratch_raise(&scratch, &need);
    }
    for (int stream = 0; stream < STREAMS; stream++) {
        if (size[stream].lanes) {
            // A counted list may be shorter by any factor than the prepared size.
            compaction->each[stream] = compaction->constants[CONSTANT_COUNTED]
                                           ? 1
                                           : compaction_each(compaction->gpu, size[stream].lanes);
            if (!compaction_make_kernels(
                    compaction, methods[stream], stream, &size[stream], problem)) {
                goto fail;
            }
        }
        const struct method_state *state = methods[stream]->state;
        if (size[stream].lanes && state &&
            !state->prepare(compaction_state(compaction, methods[stream]), stream, size, problem)) {
            goto fail;
        }
    }
    struct buffer *const buffers[SCRATCHES] = {
        [SCRATCH_MASKS] = &compaction->masks,
        [SCRATCH_BLOCKS] = &compaction->blocks,
        [SCRATCH_LEVELS] = &compaction->levels,
    };
    for (int i = 0; i < SCRATCHES; i++) {
        const struct buffer_params params = compaction_scratch_params(&scratch, i);
        if ((buffers[i]->size < params.size || !buffers[i]->handle) &&
            !buffer_create(compaction->gpu, &params, &made[i], problem)) {
            goto fail;
        }
    }
    for (int i = 0; i < SCRATCHES; i++) {
        if (made[i].handle) {
            buffer_destroy(compaction->gpu, buffers[i]);
            *buffers[i] = made[i];
        }
    }
    memcpy(compaction->size, size, sizeof compaction->size);
    return true;
fail:
    memcpy(compaction->each, before, sizeof before);
    buffers_destroy(compaction->gpu, made, SCRATCHES);
    return false;
}

// Bytes of scratch and prepared state of one method for these streams.
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
        compaction_scratch_raise(&most, &need);
    }
    bytes += method->state ? method->state->prepared_bytes(gpu, size) : 0;
    for (int i = 0; i < SCRATCHES; i++) {
        const struct buffer_params params = compaction_scratch_params(&most, i);
        bytes += buffer_bytes(gpu, &params);
    }
    return bytes;
}

// Whether `row` may run if `method` was asked for (NULL: any). `auto` selects none that removes. No
// part is smaller because of the pyramid over the slices, unless it was asked for.
static bool compaction_may_run(const struct method *method, const struct method *row)
{
    return method && !method->selects
               ? row == method
               : !row->selects && !row->cpu && !method_tiles(row) && !(method && row->removes);
}

uint64_t compaction_bytes(
    const struct gpu *gpu, const struct method *method, const struct compaction_size size[STREAMS])
{
    uint64_t scratch = 0, states = 0;
    for (uint32_t row = 0; row < method_count(); row++) {
        const struct method *other = method_at(row);
        scratch = compaction_may_run(method, other)
                      ? compaction_greater(scratch, compaction_method_bytes(gpu, other, size))
                      : scratch;
        states += compaction_owns_state(row) ? other->state->created_bytes(gpu) : 0;
    }
    return scratch + states + buffer_bytes(gpu, &compaction_arguments) +
           buffer_bytes(gpu, &compaction_events) + buffer_bytes(gpu, &compaction_events_readback);
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
    struct compaction_events events;
    memcpy(
        &events, (const char *)compaction->events_readback.mapped + stream * BUFFER_SLOT,
        sizeof events);
    return events;
}

struct kernel *compaction_kernel(
    const struct compaction *compaction, const struct compaction_run *what, uint32_t pass)
{
    return compaction_kernel_slot(
        compaction, what->method, what->stream, pass, compaction->size[what->stream].in_place);
}

struct compact_push
compaction_push(const struct compaction *compaction, const struct compaction_run *what)
{
    return (struct compact_push){
        .key = what->key,
        .lanes = compaction->size[what->stream].lanes,
        .every = what->every,
        .capacity = what->capacity,
    };
}

void compaction_stamp(struct run *run, const struct compaction_run *what, const char *name)
{
    if (what->stages) {
        run_stamp_pass(run, name);
    }
}

// The push constants of a kernel that does a stream's work: the common part, then the stream's.
struct compaction_pushed {
    struct compact_push stream;
    char own[128 - sizeof(struct compact_push)];
};

static const void *compaction_own(
    const struct compaction_run *what, const struct kernel *kernel, const void *push,
    struct compaction_pushed *out)
{
    const uint32_t size = kernel->shader->push_size;
    if (!what->own || size <= sizeof out->stream) {
        return push;
    }
    memcpy(&out->stream, push, sizeof out->stream);
    memcpy(out->own, what->own, size - sizeof out->stream);
    return out;
}

// Dispatches a pass: `each` lanes of the stream per workgroup, or the run's arguments at `offset`.
static void compaction_dispatch(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const void *push, uint32_t each, uint64_t offset)
{
    struct kernel *kernel = compaction_kernel(compaction, what, pass);
    struct compaction_pushed all;
    push = compaction_own(what, kernel, push, &all);
    if (what->lane_arguments) {
        run_dispatch_indirect(run, kernel, what->table, push, what->lane_arguments, offset);
    } else {
        uint32_t groups[2];
        run_fold(compaction->size[what->stream].lanes, each, groups);
        run_dispatch(run, kernel, what->table, push, groups[0], groups[1], 1);
    }
    compaction_stamp(run, what, kernel->name);
}

void compaction_dispatch_lanes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const void *push)
{
    compaction_dispatch(compaction, run, what, pass, push, GROUP, what->lane_arguments_offset);
}

void compaction_arrange(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t lanes, uint32_t each)
{
    struct binding table[BINDINGS];
    memcpy(table, what->table, sizeof table);
    table[BINDING_COUNTER] =
        table[what->stream == STREAM_CELLS ? BINDING_BRICKS_COUNTER : BINDING_WORDS_COUNTER];
    run_dispatch(
        run, compaction->arrange, table, &(struct arrange_push){ .lanes = lanes, .each = each }, 1,
        1, 1);
}

void compaction_record_passes(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    const void *push)
{
    const struct method *method = what->method;
    for (uint32_t pass = what->first_pass; pass < METHOD_PASSES && method->passes[pass].name;
         pass++) {
        if (method->passes[pass].shape == PASS_LANES) {
            compaction_dispatch_lanes(compaction, run, what, pass, push);
        } else if (method->passes[pass].shape == PASS_ITEMS) {
            compaction_dispatch(
                compaction, run, what, pass, push, GROUP * compaction->each[what->stream],
                what->shared_arguments_offset);
        } else {
            struct kernel *kernel = compaction_kernel(compaction, what, pass);
            const uint32_t ranges = compaction->size[what->stream].lanes / STRETCH + 1;
            const uint32_t most = method->passes[pass].shape == PASS_RANGES ? RANGES : 1;
            run_dispatch(run, kernel, what->table, push, ranges < most ? ranges : most, 1, 1);
            compaction_stamp(run, what, kernel->name);
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
    const struct compaction *compaction, struct run *run, const struct compaction_run *asked)
{
    struct binding table[BINDINGS];
    memcpy(table, asked->table, sizeof table);
    table[BINDING_ARGUMENTS] = (struct binding){ &compaction->arguments };
    table[BINDING_EVENTS] = (struct binding){ &compaction->events, .slot = asked->stream };
    table[BINDING_MASKS] = (struct binding){ &compaction->masks };
    table[BINDING_BLOCKS] = (struct binding){ &compaction->blocks };
    table[BINDING_LEVELS] = (struct binding){ &compaction->levels };
    table[BINDING_PARTIALS] = (struct binding){ &compaction->levels, .view = 1 };
    struct compaction_run what = *asked;
    what.table = table;
    if (what.stream != STREAM_CELLS) {
        what.shared_arguments_offset = what.lane_arguments_offset; // one stream lane per lane
    }

    const uint64_t size = sizeof(struct compaction_events), at = what.stream * BUFFER_SLOT;
    compaction_forget_stream(compaction, what.stream, what.method);
    if (!what.method->has_events || what.stream >= STREAMS_OF_ALL) {
        compaction_record_method(compaction, run, &what);
        return;
    }
    run_fill(run, &compaction->events, at, size, 0);
    compaction_record_method(compaction, run, &what);
    run_copy(run, &compaction->events, at, &compaction->events_readback, at, size);
    run_use_part(run, &compaction->events_readback, at, ACCESS_HOST);
}
