// Redzone stream compaction (Bontes & Gain 2024): removes k elements from a kept list in O(k), in
// place. From a list of plain words it removes those at given positions, or all that are not kept.
// The lists of the other streams are reused from run to run: elements that the stream keeps now and
// did not keep before join the list; then those that it does not keep any more are removed. In two
// forms: one workgroup, or a dispatch per phase.

#include "compute/compaction/methods/redzone.h"

#include "compute/compaction/kernels.h"

#include "removal_list_streams.h"

#include <assert.h>
#include <stdlib.h>

static const uint32_t removal_begin_words[] =
#include "removal_begin.inc"
    ;
static const uint32_t removal_enter_bricks[] =
#include "removal_enter_bricks.inc"
    ;
static const uint32_t removal_enter_cells[] =
#include "removal_enter_cells.inc"
    ;
static const uint32_t redzone_one_words[] =
#include "redzone_one.inc"
    ;
static const uint32_t redzone_open_words[] =
#include "redzone_open.inc"
    ;
static const uint32_t redzone_mark_words[] =
#include "redzone_mark.inc"
    ;
static const uint32_t redzone_pair_words[] =
#include "redzone_pair.inc"
    ;
static const uint32_t redzone_settle_words[] =
#include "redzone_settle.inc"
    ;

#define KERNEL(label, words, ...)                                                                  \
    {                                                                                              \
        .name = label, .code = words, .code_size = sizeof words,                                   \
        .push_size = sizeof(struct redzone_push), .ports = { __VA_ARGS__ },                        \
    }
// One for all streams.
#define KERNELS(label, words, ...)                                                                 \
    {                                                                                              \
        [STREAM_BRICKS] = KERNEL(label, words, __VA_ARGS__),                                       \
        [STREAM_CELLS] = KERNEL(label, words, __VA_ARGS__),                                        \
        [STREAM_WORDS] = KERNEL(label, words, __VA_ARGS__),                                        \
    }
#define PUSH(field, how) PORT(struct redzone_push, field, how)
// Ports of the pass that opens a run of Redzone.
#define OPENING                                                                                    \
    PUSH(counter, ACCESS_READ_WRITE), PUSH(removals_counter, ACCESS_READ),                         \
        PUSH(kept, ACCESS_READ_WRITE), PUSH(events, ACCESS_WRITE)

static const struct kernel_info removal_begin[STREAMS] = KERNELS(
    "removal begin", removal_begin_words, PUSH(kept, ACCESS_READ), PUSH(counter, ACCESS_WRITE),
    PUSH(arguments, ACCESS_WRITE));

struct removal_enter_push {
    struct compact_push stream;
    struct removal_enter_own own;
};

#define ENTER                                                                                      \
    STREAM_PORTS, PORT(struct compact_push, counter, ACCESS_READ_WRITE),                           \
        PORT(struct compact_push, list, ACCESS_WRITE),                                             \
        PORT(struct removal_enter_push, own.now, ACCESS_WRITE),                                    \
        PORT(struct removal_enter_push, own.before, ACCESS_READ)
static const struct kernel_info removal_enter[STREAMS] = {
    [STREAM_BRICKS] =
        COMPACT_KERNEL(struct removal_enter_push, "removal enter", removal_enter_bricks, ENTER),
    [STREAM_CELLS] =
        COMPACT_KERNEL(struct removal_enter_push, "removal enter", removal_enter_cells, ENTER),
};

#define LEAVE                                                                                      \
    PUSH(kept, ACCESS_READ), PUSH(list, ACCESS_READ), PUSH(masks, ACCESS_READ),                    \
        PUSH(removals_counter, ACCESS_READ_WRITE), PUSH(removals, ACCESS_WRITE)
static const struct kernel_info removal_list[STREAMS] = {
    [STREAM_BRICKS] = KERNEL("removal list", removal_list_bricks, LEAVE),
    [STREAM_CELLS] = KERNEL("removal list", removal_list_cells, LEAVE),
    [STREAM_WORDS] = KERNEL("removal list", removal_list_words, LEAVE),
};

static const struct kernel_info redzone_one[STREAMS] = KERNELS(
    "redzone", redzone_one_words, OPENING, PUSH(list, ACCESS_READ_WRITE),
    PUSH(removals, ACCESS_READ), PUSH(work, ACCESS_WRITE), PUSH(orphans, ACCESS_READ_WRITE));

static const struct kernel_info redzone_open[STREAMS] = KERNELS(
    "redzone open", redzone_open_words, OPENING, PUSH(work, ACCESS_WRITE),
    PUSH(arguments, ACCESS_WRITE));
static const struct kernel_info redzone_mark[STREAMS] = KERNELS(
    "redzone mark", redzone_mark_words, PUSH(work, ACCESS_READ), PUSH(removals, ACCESS_READ),
    PUSH(list, ACCESS_WRITE));
static const struct kernel_info redzone_pair[STREAMS] = KERNELS(
    "redzone pair", redzone_pair_words, PUSH(work, ACCESS_READ_WRITE), PUSH(removals, ACCESS_READ),
    PUSH(list, ACCESS_READ_WRITE), PUSH(orphans, ACCESS_WRITE));
static const struct kernel_info redzone_settle[STREAMS] = KERNELS(
    "redzone settle", redzone_settle_words, PUSH(work, ACCESS_READ), PUSH(orphans, ACCESS_READ),
    PUSH(list, ACCESS_WRITE));

// The passes of the rows of both methods.
enum { PASS_BEGIN, PASS_ENTER, PASS_LIST, PASS_ONE, PASS_OPEN = PASS_ONE };
enum { PASS_MARK = PASS_OPEN + 1, PASS_PAIR, PASS_SETTLE };

// The stage that ends when new elements have joined the list and the removal list has been made.
// The word stream has it only if each pass is stamped.
static const enum stage_kind removal_stages[STREAMS] = {
    [STREAM_BRICKS] = STAGE_BRICK_REMOVALS,
    [STREAM_CELLS] = STAGE_CELL_REMOVALS,
    [STREAM_WORDS] = STAGE_WORD_REMOVALS,
};

#define SLOT  REDZONE_SLOT
#define SLOTS (SLOT_KEPT + STREAMS)

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

static void *redzone_create(struct gpu *gpu, struct problem *problem)
{
    struct redzone *redzone = calloc(1, sizeof *redzone);
    if (!redzone) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory preparing the methods");
        return NULL;
    }
    redzone->gpu = gpu;
    if (!buffer_create(
            gpu, &(struct buffer_params){ "removal counts", SLOTS * SLOT, BUFFER_DEVICE },
            &redzone->words, problem)) {
        redzone_destroy(redzone);
        return NULL;
    }
    return redzone;
}

// A mask for each lane that the stream could have: for all bricks, or for all their rows.
static uint64_t redzone_mask_words(enum stream stream, const struct compaction_size size[STREAMS])
{
    const uint64_t bricks = size[STREAM_BRICKS].lanes;
    return stream == STREAM_BRICKS ? bricks : stream == STREAM_CELLS ? bricks * BRICK_ROWS : 0;
}

static bool redzone_prepare(
    void *state, enum stream stream, const struct compaction_size size[STREAMS],
    struct problem *problem)
{
    struct redzone *redzone = state;
    struct redzone_kept *kept = &redzone->kept[stream];
    const uint64_t room = size[stream].room, masks = redzone_mask_words(stream, size);
    const struct {
        const char *name;
        uint64_t words;
        struct buffer *buffer;
    } needs[] = {
        { "removal list", room, &redzone->removals },
        { "orphans of a removal", room, &redzone->orphans },
        { "masks of a kept list", masks, &kept->masks[0] },
        { "masks of a kept list", masks, &kept->masks[1] },
    };
    enum { NEEDS = sizeof needs / sizeof *needs };
    struct buffer made[NEEDS] = { 0 };
    for (int i = 0; i < NEEDS; i++) {
        const struct buffer_params params = { needs[i].name, needs[i].words * 4, BUFFER_DEVICE };
        if ((!needs[i].buffer->handle || needs[i].buffer->size < params.size) &&
            !buffer_create(redzone->gpu, &params, &made[i], problem)) {
            goto fail;
        }
    }
    for (int i = 0; i < NEEDS; i++) {
        if (made[i].handle) {
            buffer_destroy(redzone->gpu, needs[i].buffer);
            *needs[i].buffer = made[i];
            kept->valid &= i < 2;
        }
    }
    return true;
fail:
    for (int i = 0; i < NEEDS; i++) {
        buffer_destroy(redzone->gpu, &made[i]);
    }
    return false;
}

static uint64_t
redzone_prepared_bytes(const struct gpu *gpu, const struct compaction_size size[STREAMS])
{
    uint64_t bytes = 0;
    for (int stream = 0; stream < STREAMS; stream++) {
        if (size[stream].lanes > 0) {
            // The memory of each stream is counted: that of one still exists while that of the next
            // is allocated.
            bytes += 2 * buffer_bytes(gpu, (uint64_t)size[stream].room * 4);
            bytes += 2 * buffer_bytes(gpu, redzone_mask_words(stream, size) * 4);
        }
    }
    return bytes;
}

static uint64_t redzone_created_bytes(const struct gpu *gpu)
{
    return buffer_bytes(gpu, SLOTS * SLOT);
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
    struct redzone *redzone = compaction_state(compaction, what->method);
    struct redzone_kept *kept = &redzone->kept[what->stream];
    const struct buffer *before = &kept->masks[kept->newest];
    kept->newest = 1 - kept->newest;
    const struct buffer *now = &kept->masks[kept->newest];
    const struct removal_enter_push push = {
        compaction_push(compaction, what),
        { .now = now->address, .before = before->address },
    };
    if (anew) {
        run_fill(run, before, 0, before->size, 0);
    }
    run_fill(run, now, 0, now->size, 0);
    if (what->lane_arguments) {
        run_dispatch_indirect(
            run, compaction_kernel(compaction, what, PASS_ENTER), &push, what->lane_arguments,
            what->lane_arguments_offset);
    } else {
        uint32_t groups[2];
        run_fold(push.stream.lanes, GROUP, groups);
        run_dispatch(
            run, compaction_kernel(compaction, what, PASS_ENTER), &push, groups[0], groups[1], 1);
    }
}

// Sets the state that the list will have after the run. Returns whether the list is made anew.
static bool redzone_begin_list(struct redzone *redzone, const struct compaction_run *what)
{
    struct redzone_kept *kept = &redzone->kept[what->stream];
    const bool anew = !kept->valid || kept->list != what->list;
    kept->list = what->list;
    kept->valid = false;
    kept->recorded = true;
    return anew;
}

static void redzone_record_1(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    const struct redzone_push *push)
{
    const struct kernel *kernel = compaction_kernel(compaction, what, PASS_ONE);
    run_dispatch(run, kernel, push, 1, 1, 1);
    compaction_stamp(run, what, kernel->info->name);
}

static void redzone_record_2(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    const struct redzone_push *push)
{
    const struct redzone *redzone = compaction_state(compaction, what->method);
    run_dispatch(run, compaction_kernel(compaction, what, PASS_OPEN), push, 1, 1, 1);
    for (uint32_t pass = PASS_MARK; pass <= PASS_SETTLE; pass++) {
        const struct kernel *kernel = compaction_kernel(compaction, what, pass);
        run_dispatch_indirect(run, kernel, push, &redzone->words, SLOT_REMOVAL_ARGUMENTS * SLOT);
        compaction_stamp(run, what, kernel->info->name);
    }
}

static void redzone_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    struct redzone *redzone = compaction_state(compaction, what->method);
    const bool words = what->stream == STREAM_WORDS, given = what->removals != 0;
    const bool anew = words || redzone_begin_list(redzone, what);
    const struct redzone_kept *kept = &redzone->kept[what->stream];
    const VkDeviceAddress slots = redzone->words.address;
    struct redzone_push push = {
        .counter = what->counter,
        .list = what->list,
        .removals_counter = given ? what->removals_counter : slots + SLOT_REMOVALS * SLOT,
        .removals = given ? what->removals : redzone->removals.address,
        .kept = slots + (SLOT_KEPT + what->stream) * SLOT,
        .work = slots + SLOT_WORK * SLOT,
        .orphans = redzone->orphans.address,
        .arguments = slots + SLOT_LIST_ARGUMENTS * SLOT,
        .events = compaction->events.address + what->stream * sizeof(struct compaction_events),
        .room = (uint32_t)(redzone->orphans.size / 4),
    };
    assert(what->method->removes && (!given || words));
    if (anew) {
        const uint32_t count[SLOT / 4] = { words ? compaction->size[STREAM_WORDS].lanes : 0 };
        run_update(run, &redzone->words, (SLOT_KEPT + what->stream) * SLOT, count, SLOT);
    }
    run_dispatch(run, compaction_kernel(compaction, what, PASS_BEGIN), &push, 1, 1, 1);
    if (!words) {
        redzone_record_entering(compaction, run, what, anew);
        push.masks = kept->masks[kept->newest].address;
    }
    if (!given) {
        const struct list_counter empty = { .capacity = (uint32_t)(redzone->removals.size / 4) };
        run_update(run, &redzone->words, SLOT_REMOVALS * SLOT, &empty, sizeof empty);
        run_dispatch_indirect(
            run, compaction_kernel(compaction, what, PASS_LIST), &push, &redzone->words,
            SLOT_LIST_ARGUMENTS * SLOT);
        if (what->stages || !words) {
            run_stamp(run, removal_stages[what->stream]);
        }
    }
    push.arguments = slots + SLOT_REMOVAL_ARGUMENTS * SLOT;
    if (what->method->passes[PASS_ONE].kernels == redzone_one) {
        redzone_record_1(compaction, run, what, &push);
    } else {
        redzone_record_2(compaction, run, what, &push);
    }
}

// Both forms share the reused lists.
static const struct method_state redzone_state = {
    .create = redzone_create,
    .destroy = redzone_destroy,
    .strip = redzone_strip,
    .prepare = redzone_prepare,
    .forget = redzone_forget,
    .finished = redzone_finished,
    .created_bytes = redzone_created_bytes,
    .prepared_bytes = redzone_prepared_bytes,
};

const struct method method_redzone_1 = {
    .name = "redzone-1",
    .summary =
        "fills the gaps of k removed elements with others from the list's end, O(k); one workgroup",
    .paper = "Bontes and Gain 2024, Redzone Stream Compaction, algorithm 1",
    .order = ORDER_NONE,
    .in_place = true,
    .has_events = true,
    .removes = true,
    .largest = REDZONE_LARGEST,
    .passes = { { removal_begin }, { removal_enter }, { removal_list }, { redzone_one } },
    .record = redzone_record,
    .state = &redzone_state,
};

const struct method method_redzone_2 = {
    .name = "redzone-2",
    .summary = "as redzone-1 on the whole device, with a dispatch for each phase",
    .paper = "Bontes and Gain 2024, Redzone Stream Compaction, algorithm 2",
    .order = ORDER_NONE,
    .in_place = true,
    .has_events = true,
    .removes = true,
    .passes = { { removal_begin },
                { removal_enter },
                { removal_list },
                { redzone_open },
                { redzone_mark },
                { redzone_pair },
                { redzone_settle } },
    .record = redzone_record,
    .state = &redzone_state,
};
