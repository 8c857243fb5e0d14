#include "compute/extraction/drag.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint32_t drag_words[] =
#include "drag.inc"
    ;
#define PUSH(field, how) PORT(struct drag_push, field, how)
static const struct kernel_info drag_info = {
    .name = "drag",
    .code = drag_words,
    .code_size = sizeof drag_words,
    .push_size = sizeof(struct drag_push),
    .ports = {
        PUSH(head, ACCESS_WRITE),
        PUSH(list, ACCESS_READ_WRITE),
        PUSH(leaving, ACCESS_READ),
        PUSH(entering, ACCESS_READ),
        PUSH(ranges, ACCESS_READ),
        PUSH(slots, ACCESS_READ),
        PUSH(removals, ACCESS_READ_WRITE),
        PUSH(orphans, ACCESS_READ_WRITE),
        PUSH(events, ACCESS_WRITE),
    },
};

// What a candidate costs, in bricks of a list that is made anew. On llvmpipe with two cores, where
// one of them does the drag and both make a list anew by ink-collate, 65,536 bricks took as long as
// 5,300 candidates that all came or went (12), or 40,000 of which none did. On a GPU nothing has
// been measured: there one workgroup stands against all of them, so that it has to be a handful.
static uint32_t price(const struct gpu *gpu)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return gpu->software ? 8 * (uint32_t)(cores > 1 ? cores : 1) : 4096;
}

// Room for all bricks, where there is none yet.
static bool make_room(
    struct gpu *gpu, const struct atlas *atlas, VkDescriptorSetLayout set_layout, struct drag *drag,
    struct problem *problem)
{
    const uint64_t bytes = (uint64_t)atlas->brick_count * 4;
    const struct buffer_params all = { .size = bytes };
    const struct {
        struct buffer_params params;
        struct buffer *buffer;
    } needs[] = {
        { { "bricks by least key", bytes, BUFFER_DEVICE }, &drag->order[RANGE_LEAST] },
        { { "bricks by greatest key", bytes, BUFFER_DEVICE }, &drag->order[RANGE_GREATEST] },
        { { "bricks that leave", bytes, BUFFER_DEVICE }, &drag->removals },
        { { "orphans of bricks that leave", bytes, BUFFER_DEVICE }, &drag->orphans },
        { { "bricks that came and went", sizeof(struct drag_events), BUFFER_READBACK },
          &drag->events },
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (!needs[i].buffer->handle &&
            !buffer_create(gpu, &needs[i].params, needs[i].buffer, problem)) {
            return false;
        }
    }
    for (int end = 0; end < RANGE_ENDS; end++) {
        drag->keys[end] = drag->keys[end] ? drag->keys[end] : malloc(all.size);
        if (!drag->keys[end]) {
            return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory sorting the bricks");
        }
    }
    uint32_t constants[CONSTANTS];
    atlas_constants(atlas, constants);
    const struct kernel_params params = { constants, CONSTANTS, set_layout };
    return drag->kernel.pipeline || kernel_create(gpu, &drag_info, &params, &drag->kernel, problem);
}

// Sorts the bricks by their keys, a byte at a time, the lowest first; bytes that are the same in
// all keys (of 8-bit samples, three) are passed over. `spare` holds as many of both.
struct ranked {
    uint32_t key, brick;
};

static void sort(struct ranked *bricks, struct ranked *spare, uint32_t count)
{
    struct ranked *from = bricks, *to = spare;
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t starts[257] = { 0 };
        for (uint32_t i = 0; i < count; i++) {
            starts[(from[i].key >> shift & 255) + 1]++;
        }
        if (count == 0 || starts[(from[0].key >> shift & 255) + 1] == count) {
            continue;
        }
        for (int byte = 0; byte < 256; byte++) {
            starts[byte + 1] += starts[byte];
        }
        for (uint32_t i = 0; i < count; i++) {
            to[starts[from[i].key >> shift & 255]++] = from[i];
        }
        struct ranked *const sorted = to;
        to = from;
        from = sorted;
    }
    if (from != bricks) {
        memcpy(bricks, from, count * sizeof *bricks);
    }
}

// One of the orders, from the ranges; `room` is for 2 x brick_count bricks, and the ids behind
// them.
static bool make_order(
    struct gpu *gpu, struct drag *drag, enum range_end end, const uint32_t (*ranges)[2],
    uint32_t bricks, struct ranked *room, struct problem *problem)
{
    uint32_t count = 0;
    for (uint32_t brick = 0; brick < bricks; brick++) {
        if (ranges[brick][RANGE_LEAST] < ranges[brick][RANGE_GREATEST]) {
            room[count++] = (struct ranked){ ranges[brick][end], brick };
        }
    }
    drag->count = count;
    sort(room, room + bricks, count);
    uint32_t *const ids = (uint32_t *)(room + bricks);
    for (uint32_t i = 0; i < count; i++) {
        drag->keys[end][i] = room[i].key;
        ids[i] = room[i].brick;
    }
    return count == 0 ||
           buffer_upload(gpu, &drag->order[end], 0, ids, (uint64_t)count * 4, problem);
}

bool drag_sort(
    struct gpu *gpu, const struct atlas *atlas, VkDescriptorSetLayout set_layout, struct drag *drag,
    struct problem *problem)
{
    const uint32_t bricks = atlas->brick_count;
    uint32_t(*ranges)[2] = malloc((size_t)bricks * sizeof *ranges);
    struct ranked *room = malloc((size_t)bricks * 2 * sizeof *room);
    drag->sorted = false;
    drag->bricks = bricks;
    drag->bricks_a_candidate = price(gpu);
    if (!ranges || !room) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory sorting the bricks");
    } else {
        drag->sorted =
            make_room(gpu, atlas, set_layout, drag, problem) &&
            buffer_download(
                gpu, &atlas->ranges, 0, ranges, (uint64_t)bricks * sizeof *ranges, problem) &&
            make_order(gpu, drag, RANGE_LEAST, ranges, bricks, room, problem) &&
            make_order(gpu, drag, RANGE_GREATEST, ranges, bricks, room, problem);
    }
    free(ranges);
    free(room);
    if (!drag->sorted) {
        drag_destroy(gpu, drag);
        return false;
    }
    return true;
}

void drag_destroy(struct gpu *gpu, struct drag *drag)
{
    for (int end = 0; end < RANGE_ENDS; end++) {
        free(drag->keys[end]);
        buffer_destroy(gpu, &drag->order[end]);
    }
    buffer_destroy(gpu, &drag->removals);
    buffer_destroy(gpu, &drag->orphans);
    buffer_destroy(gpu, &drag->events);
    kernel_destroy(gpu, &drag->kernel);
    *drag = (struct drag){ 0 };
}

// Bricks with this end below the key.
static uint32_t below(const struct drag *drag, enum range_end end, uint32_t key)
{
    uint32_t low = 0, high = drag->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (drag->keys[end][middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t drag_active(const struct drag *drag, uint32_t key)
{
    return below(drag, RANGE_LEAST, key) - below(drag, RANGE_GREATEST, key);
}

struct drag_step drag_between(const struct drag *drag, uint32_t from, uint32_t to)
{
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    struct drag_step step = {
        .leave_by = from < to ? RANGE_GREATEST : RANGE_LEAST,
        .enter_by = from < to ? RANGE_LEAST : RANGE_GREATEST,
    };
    step.leaving_first = below(drag, step.leave_by, low);
    step.leaving_count = below(drag, step.leave_by, high) - step.leaving_first;
    step.entering_first = below(drag, step.enter_by, low);
    step.entering_count = below(drag, step.enter_by, high) - step.entering_first;
    return step;
}

bool drag_pays(const struct drag *drag, const struct drag_step *step)
{
    const uint64_t candidates = (uint64_t)step->leaving_count + step->entering_count;
    return candidates * drag->bricks_a_candidate <= drag->bricks;
}
