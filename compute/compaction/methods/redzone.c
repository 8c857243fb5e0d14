// Redzone stream compaction (Bontes & Gain 2024): removes k elements from a kept list in O(k), in
// place. From a list of plain words it removes those at given positions, or all that are not kept.
// The lists of bricks and of cells are reused from run to run: elements that the stream keeps now
// and did not keep before join the list; then those that it does not keep any more are removed.
// There are two forms: one workgroup, or a dispatch per phase.
//
// Where we differ: the paper needs O(1) memory besides the removal list, because it stores orphans
// within the list. Here they have a separate buffer, which can hold as many words as the list. Only
// the forms `in-place` do as the paper; then a given removal list is garbage after a run. Our
// single workgroup has 256 lanes, the paper's has 1024.

#include "compute/compaction/methods/redzone.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Indices of the passes in the rows of both forms.
enum { PASS_BEGIN, PASS_ENTER, PASS_LIST, PASS_ONE, PASS_OPEN = PASS_ONE };
enum { PASS_MARK = PASS_OPEN + 1, PASS_PAIR, PASS_SETTLE };

// The stage that ends when new elements have joined the list and the removal list has been made.
// The word stream has it only if each pass is stamped.
static const enum stage_kind removal_stages[STREAMS] = {
    [STREAM_BRICKS] = STAGE_BRICK_REMOVALS,
    [STREAM_CELLS] = STAGE_CELL_REMOVALS,
    [STREAM_WORDS] = STAGE_WORD_REMOVALS,
};

static const struct buffer_params redzone_words = {
    .name = "removal counts",
    .size = REDZONE_SLOTS * BUFFER_SLOT,
    .slots = true,
};

static void redzone_strip(void *state)
{
    struct redzone *redzone = state;
    buffer_destroy(redzone->gpu, &redzone->removals);
    buffer_destroy(redzone->gpu, &redzone->orphans);
    for (int stream = 0; stream < STREAMS; stream++) {
        buffer_destroy(redzone->gpu, &redzone->kept[stream].masks[0]);
        buffer_destroy(redzone->gpu, &redzone->kept[stream].masks[1]);
        redzone->kept[stream].valid = false;
    }
}

static void redzone_destroy(void *state)
{
    struct redzone *redzone = state;
    redzone_strip(redzone);
    buffer_destroy(redzone->gpu, &redzone->words);
    free(redzone);
}

static void *redzone_create_form(struct gpu *gpu, bool in_place, struct problem *problem)
{
    struct redzone *redzone = calloc(1, sizeof *redzone);
    if (!redzone) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory preparing the methods");
        return NULL;
    }
    redzone->gpu = gpu;
    redzone->in_place = in_place;
    if (!buffer_create(gpu, &redzone_words, &redzone->words, problem)) {
        redzone_destroy(redzone);
        return NULL;
    }
    return redzone;
}

static void *redzone_create(struct gpu *gpu, struct problem *problem)
{
    return redzone_create_form(gpu, false, problem);
}

static void *redzone_create_in_place(struct gpu *gpu, struct problem *problem)
{
    return redzone_create_form(gpu, true, problem);
}

// One mask for each lane that the stream could have: for all bricks, or for all rows of all bricks.
static uint64_t redzone_mask_words(enum stream stream, const struct compaction_size size[STREAMS])
{
    const uint64_t bricks = size[STREAM_BRICKS].lanes;
    return stream == STREAM_BRICKS ? bricks : stream == STREAM_CELLS ? bricks * BRICK_ROWS : 0;
}

// The buffers of a stream: a removal list, its orphans, and two of masks.
enum { REDZONE_REMOVALS, REDZONE_ORPHANS, REDZONE_MASKS, REDZONE_BUFFERS = REDZONE_MASKS + 2 };

static struct buffer_params redzone_params(
    bool in_place, enum stream stream, const struct compaction_size size[STREAMS], int which)
{
    static const char *const names[REDZONE_BUFFERS] = {
        "removal list",
        "orphans of a removal",
        "masks of a kept list",
        "masks of a kept list",
    };
    const uint64_t words = which == REDZONE_ORPHANS && in_place ? REDZONE_BATCHES * 2
                           : which < REDZONE_MASKS              ? size[stream].capacity
                                                                : redzone_mask_words(stream, size);
    return (struct buffer_params){ .name = names[which], .size = words * sizeof(uint32_t) };
}

static bool redzone_prepare(
    void *state, enum stream stream, const struct compaction_size size[STREAMS],
    struct problem *problem)
{
    struct redzone *redzone = state;
    struct redzone_kept *kept = &redzone->kept[stream];
    struct buffer *const buffers[REDZONE_BUFFERS] = {
        [REDZONE_REMOVALS] = &redzone->removals,
        [REDZONE_ORPHANS] = &redzone->orphans,
        [REDZONE_MASKS] = &kept->masks[0],
        [REDZONE_MASKS + 1] = &kept->masks[1],
    };
    struct buffer made[REDZONE_BUFFERS] = { 0 };
    for (int i = 0; i < REDZONE_BUFFERS; i++) {
        const struct buffer_params params = redzone_params(redzone->in_place, stream, size, i);
        if ((!buffers[i]->handle || buffers[i]->size < params.size) &&
            !buffer_create(redzone->gpu, &params, &made[i], problem)) {
            goto fail;
        }
    }
    for (int i = 0; i < REDZONE_BUFFERS; i++) {
        if (made[i].handle) {
            buffer_destroy(redzone->gpu, buffers[i]);
            *buffers[i] = made[i];
            kept->valid &= i < REDZONE_MASKS;
        }
    }
    return true;
fail:
    buffers_destroy(redzone->gpu, made, REDZONE_BUFFERS);
    return false;
}

static uint64_t
redzone_form_bytes(const struct gpu *gpu, bool in_place, const struct compaction_size size[STREAMS])
{
    uint64_t bytes = 0;
    for (int stream = 0; stream < STREAMS; stream++) {
        // Count the buffers of every stream: those of one stream still exist while those of the
        // next are allocated.
        for (int i = 0; i < REDZONE_BUFFERS && size[stream].lanes > 0; i++) {
            const struct buffer_params params = redzone_params(in_place, stream, size, i);
            bytes += buffer_bytes(gpu, &params);
        }
    }
    return bytes;
}

static uint64_t
redzone_prepared_bytes(const struct gpu *gpu, const struct compaction_size size[STREAMS])
{
    return redzone_form_bytes(gpu, false, size);
}

static uint64_t
redzone_in_place_bytes(const struct gpu *gpu, const struct compaction_size size[STREAMS])
{
    return redzone_form_bytes(gpu, true, size);
}

static uint64_t redzone_created_bytes(const struct gpu *gpu)
{
    return buffer_bytes(gpu, &redzone_words);
}

static void redzone_forget(void *state, enum stream stream)
{
    struct redzone *redzone = state;
    redzone->kept[stream].valid = false;
    redzone->kept[stream].recorded = false;
}

static void redzone_finished(void *state, bool whole)
{
    struct redzone *redzone = state;
    for (int stream = 0; stream < STREAMS; stream++) {
        struct redzone_kept *kept = &redzone->kept[stream];
        kept->valid = whole && kept->recorded;
        kept->recorded = false;
    }
}

// Records the pass that appends new elements to the list and writes the newest masks. It reads the
// masks of the previous run.
static void redzone_record_entering(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    bool anew)
{
    const struct compact_push push = compaction_push(compaction, what);
    struct kernel *kernel = compaction_kernel(compaction, what, PASS_ENTER);
    const struct buffer *now = what->table[BINDING_NOW].buffer;
    const struct buffer *before = what->table[BINDING_BEFORE].buffer;
    if (anew) {
        run_fill(run, before, 0, before->size, 0);
    }
    run_fill(run, now, 0, now->size, 0);
    if (what->lane_arguments) {
        run_dispatch_indirect(
            run, kernel, what->table, &push, what->lane_arguments, what->lane_arguments_offset);
    } else {
        uint32_t groups[2];
        run_fold(push.lanes, GROUP, groups);
        run_dispatch(run, kernel, what->table, &push, groups[0], groups[1], 1);
    }
}

// Sets the state that the list will have after the run. Returns whether the list is made anew.
static bool redzone_begin_list(struct redzone *redzone, const struct compaction_run *what)
{
    struct redzone_kept *kept = &redzone->kept[what->stream];
    const uint64_t list = what->table[BINDING_LIST].buffer->serial;
    const bool anew = !kept->valid || kept->list != list;
    kept->list = list;
    kept->newest = 1 - kept->newest;
    kept->valid = false;
    kept->recorded = true;
    return anew;
}

static void redzone_record_1(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    const struct redzone_push *push)
{
    struct kernel *kernel = compaction_kernel(compaction, what, PASS_ONE);
    run_dispatch(run, kernel, what->table, push, 1, 1, 1);
    compaction_stamp(run, what, kernel->name);
}

static void redzone_record_2(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    const struct redzone_push *push)
{
    const struct redzone *redzone = compaction_state(compaction, what->method);
    run_dispatch(run, compaction_kernel(compaction, what, PASS_OPEN), what->table, push, 1, 1, 1);
    for (uint32_t pass = PASS_MARK; pass <= PASS_SETTLE; pass++) {
        struct kernel *kernel = compaction_kernel(compaction, what, pass);
        run_dispatch_indirect(
            run, kernel, what->table, push, &redzone->words, SLOT_REMOVAL_ARGUMENTS * BUFFER_SLOT);
        compaction_stamp(run, what, kernel->name);
    }
}

// Adds the bindings that only these methods need. `given`: the table has a removal list.
static void redzone_bind(
    const struct redzone *redzone, enum stream stream, bool given, struct binding table[BINDINGS])
{
    const struct redzone_kept *kept = &redzone->kept[stream];
    const struct buffer *words = &redzone->words;
    if (!given) {
        table[BINDING_REMOVALS] = (struct binding){ &redzone->removals };
        table[BINDING_REMOVALS_COUNTER] = (struct binding){ words, SLOT_REMOVALS };
    }
    table[BINDING_KEPT] = (struct binding){ words, SLOT_KEPT + stream };
    table[BINDING_WORK] = (struct binding){ words, SLOT_WORK };
    table[BINDING_LIST_ARGUMENTS] = (struct binding){ words, SLOT_LIST_ARGUMENTS };
    table[BINDING_REMOVAL_ARGUMENTS] = (struct binding){ words, SLOT_REMOVAL_ARGUMENTS };
    table[BINDING_ORPHANS] = (struct binding){ &redzone->orphans };
    table[BINDING_NOW] = (struct binding){ &kept->masks[kept->newest] };
    table[BINDING_BEFORE] = (struct binding){ &kept->masks[1 - kept->newest] };
}

static void redzone_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *asked)
{
    struct redzone *redzone = compaction_state(compaction, asked->method);
    const bool words = asked->stream == STREAM_WORDS;
    const bool given = asked->table[BINDING_REMOVALS].buffer;
    const bool anew = words || redzone_begin_list(redzone, asked);
    struct binding table[BINDINGS];
    struct compaction_run what = *asked;
    memcpy(table, asked->table, sizeof table);
    redzone_bind(redzone, what.stream, given, table);
    what.table = table;
    const struct redzone_push push = {
        .room = (uint32_t)(redzone->orphans.size / 4),
        .capacity = what.capacity,
    };
    assert(what.method->removes && (!given || words));
    if (anew) {
        const uint32_t count[4] = { words ? compaction->size[STREAM_WORDS].lanes : 0 };
        run_update(
            run, &redzone->words, (SLOT_KEPT + what.stream) * BUFFER_SLOT, count, sizeof count);
    }
    run_dispatch(run, compaction_kernel(compaction, &what, PASS_BEGIN), table, &push, 1, 1, 1);
    if (!words) {
        redzone_record_entering(compaction, run, &what, anew);
    }
    if (!given) {
        const struct list_counter empty = { .capacity = (uint32_t)(redzone->removals.size / 4) };
        run_update(run, &redzone->words, SLOT_REMOVALS * BUFFER_SLOT, &empty, sizeof empty);
        run_dispatch_indirect(
            run, compaction_kernel(compaction, &what, PASS_LIST), table, &push, &redzone->words,
            SLOT_LIST_ARGUMENTS * BUFFER_SLOT);
        if (what.stages || !words) {
            run_stamp(run, removal_stages[what.stream]);
        }
    }
    if (what.method->passes[PASS_ONE].shaders[what.stream] != &shader_redzone_open) {
        redzone_record_1(compaction, run, &what, &push);
    } else {
        redzone_record_2(compaction, run, &what, &push);
    }
}

// ONE_SHADER: one for all streams. KEPT_SHADERS: for the streams whose lists are reused.
#define ONE_SHADER(name)                                                                           \
    {                                                                                              \
        &shader_##name, &shader_##name, &shader_##name                                             \
    }
#define KEPT_SHADERS(name)                                                                         \
    {                                                                                              \
        [STREAM_BRICKS] = &shader_##name##_bricks, [STREAM_CELLS] = &shader_##name##_cells         \
    }

#define REDZONE_STATE                                                                              \
    .destroy = redzone_destroy, .strip = redzone_strip, .prepare = redzone_prepare,                \
    .forget = redzone_forget, .finished = redzone_finished, .created_bytes = redzone_created_bytes

// One workgroup and many share the reused lists.
static const struct method_state redzone_state = {
    REDZONE_STATE,
    .create = redzone_create,
    .prepared_bytes = redzone_prepared_bytes,
};

static const struct method_state redzone_in_place_state = {
    REDZONE_STATE,
    .create = redzone_create_in_place,
    .prepared_bytes = redzone_in_place_bytes,
};

#define REDZONE_NOTES                                                                              \
    "Streams without a removal list have it made by a pass over the whole list, so a step takes "  \
    "O(n). The buffer for it is as long as the list.",                                             \
        "Section 6, marks beyond the running count while the list is made, and prefetch: left "    \
        "out. On llvmpipe the marks were slower where few elements leave, and prefetch made "      \
        "little difference.",                                                                      \
        "Section 6, preserve list: no stream comes with one. bench compaction --rerun "            \
        "redzone-preserve measures it, not in place, as in equation 3."
#define ORPHANS_NOTE                                                                               \
    "Orphans are stored in a buffer of their own, as long as the list, not in its red zone and "   \
    "in the removal list. They are not paired early, in shared memory (section 6). Both are left " \
    "to the form "
#define ONE_NOTES                                                                                  \
    "The workgroup has 256 lanes; the paper's block has 1024 threads.",                            \
        "Orphans get their places by ballots and atomics in shared memory, not by prefix sums."
#define EARLY_NOTE                                                                                 \
    "Section 6, orphans in shared memory and early pairing: within an iteration of a workgroup, "  \
    "which has "

#define REDZONE_ROW                                                                                \
    .order = ORDER_NONE, .in_place = true, .has_events = true, .removes = true,                    \
    .record = redzone_record

#define REMOVAL_PASSES                                                                             \
    { "removal begin", ONE_SHADER(removal_begin) },                                                \
        { "removal enter", KEPT_SHADERS(removal_enter) },                                          \
    {                                                                                              \
        "removal list", STREAM_SHADERS(removal_list)                                               \
    }

const struct method method_redzone_1 = {
    REDZONE_ROW,
    .name = "redzone-1",
    .summary =
        "one workgroup of 256 fills the gaps of k removed elements from the list's end, O(k)",
    .paper = "Bontes and Gain 2024, Redzone Stream Compaction, algorithm 1; needs two more lists "
             "of memory",
    .notes = { REDZONE_NOTES, ORPHANS_NOTE "redzone-1:in-place.", ONE_NOTES },
    .loop = { 3, REDZONE_TURN }, // mark, pair, and half as many to settle
    .passes = { REMOVAL_PASSES, { "redzone", ONE_SHADER(redzone_one) } },
    .state = &redzone_state,
};

const struct method method_redzone_1_in_place = {
    REDZONE_ROW,
    .name = "redzone-1:in-place",
    .summary = "as redzone-1, with the orphans in the list and in the removal list",
    .paper = "Bontes and Gain 2024, Redzone Stream Compaction, algorithm 1",
    .notes = { REDZONE_NOTES, ONE_NOTES,
               EARLY_NOTE "1024 removals. Even if there are no more, they are read twice." },
    .form = FORM_IN_PLACE,
    .loop = { 7, REDZONE_TURN }, // mark; pair, with at most four more for orphans; half to settle
    .passes = { REMOVAL_PASSES, { "redzone", ONE_SHADER(redzone_one_in_place) } },
    .state = &redzone_in_place_state,
};

const struct method method_redzone_2 = {
    REDZONE_ROW,
    .name = "redzone-2",
    .summary = "as redzone-1 on the whole device, with a dispatch for each phase",
    .paper = "Bontes and Gain 2024, Redzone Stream Compaction, algorithm 2; needs two more lists "
             "of memory",
    .notes = { REDZONE_NOTES, ORPHANS_NOTE "redzone-2:in-place.",
               "Orphans get their places by ballots and atomics, two in memory per workgroup. So "
               "phase 3 needs no prefix sums over batches and no load balancing (algorithm 3): "
               "those are left to the form, too.",
               "Each phase is a dispatch with a lane per removal, not a batch per block." },
    .passes = { REMOVAL_PASSES,
                { "redzone open", ONE_SHADER(redzone_open) },
                { "redzone mark", ONE_SHADER(redzone_mark) },
                { "redzone pair", ONE_SHADER(redzone_pair) },
                { "redzone settle", ONE_SHADER(redzone_settle) } },
    .state = &redzone_state,
};

const struct method method_redzone_2_in_place = {
    REDZONE_ROW,
    .name = "redzone-2:in-place",
    .summary = "as redzone-2, with batches, and the orphans in the list and in the removal list",
    .paper = "Bontes and Gain 2024, Redzone Stream Compaction, algorithms 2 and 3",
    .notes = { REDZONE_NOTES, EARLY_NOTE "256 removals.",
               "Orphans get their places in a batch by ballots and atomics in shared memory, not "
               "by prefix sums. A binary search finds an orphan's batch, not the search of "
               "algorithm 3 from t / b on: after early pairing most batches have few orphans.",
               "Each phase is a dispatch: that is the paper's wait for all blocks. Phase 1 has a "
               "lane per removal, not a batch per block." },
    .form = FORM_IN_PLACE,
    .passes = { REMOVAL_PASSES,
                { "redzone open", ONE_SHADER(redzone_open) },
                { "redzone mark", ONE_SHADER(redzone_mark) },
                { "redzone pair", ONE_SHADER(redzone_batch_pair) },
                { "redzone settle", ONE_SHADER(redzone_batch_settle) } },
    .state = &redzone_in_place_state,
};
