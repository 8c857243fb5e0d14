#include "compute/gpu/transfer.h"

#include "compute/gpu/run.h"

#include <string.h>

#define HALVES 2

// Copies that take turns: while the device copies one half of the staging buffer, the host reads or
// writes the other.
struct transfer {
    struct gpu *gpu;
    struct buffer staging;
    VkCommandBuffer copies[HALVES]; // per half: its copy in flight; NULL: none
};

// The most bytes that one copy moves: no more than a half of a staging buffer can have.
static uint64_t transfer_half(const struct gpu *gpu)
{
    const struct gpu_limits *limits = &gpu->limits;
    const uint64_t most = limits->buffer < limits->allocation ? limits->buffer : limits->allocation;
    const uint64_t wanted = gpu->traits->transfer_half;
    return most / HALVES < wanted ? most / HALVES / 256 * 256 : wanted;
}

static struct buffer_params
transfer_staging(const struct gpu *gpu, uint64_t size, enum buffer_memory memory)
{
    const uint64_t half = transfer_half(gpu);
    return (struct buffer_params){
        .name = "staging buffer",
        .size = size <= half ? size : HALVES * half,
        .memory = memory,
        .purpose = PURPOSE_STAGING,
    };
}

uint64_t transfer_staging_bytes(const struct gpu *gpu, uint64_t size)
{
    const struct buffer_params params = transfer_staging(gpu, size, BUFFER_READBACK);
    return buffer_bytes(gpu, &params);
}

static bool transfer_begin(
    struct gpu *gpu, uint64_t size, enum buffer_memory memory, struct transfer *out,
    struct problem *problem)
{
    const struct buffer_params params = transfer_staging(gpu, size, memory);
    *out = (struct transfer){ .gpu = gpu };
    return buffer_create(gpu, &params, &out->staging, problem);
}

static char *transfer_mapped(const struct transfer *transfer, uint32_t half)
{
    return (char *)transfer->staging.mapped + half * transfer_half(transfer->gpu);
}

// Begins a run of copies.
static bool transfer_open(struct transfer *transfer, struct run *run, struct problem *problem)
{
    VkCommandBuffer cmd = gpu_begin(transfer->gpu, problem);
    if (cmd) {
        run_begin(run, transfer->gpu, cmd, NULL);
    }
    return cmd != NULL;
}

// Submits the copies of a half.
static bool transfer_start(
    struct transfer *transfer, uint32_t half, const struct run *run, struct problem *problem)
{
    const bool started = gpu_start(transfer->gpu, run->cmd, problem);
    transfer->copies[half] = started ? run->cmd : NULL;
    return started;
}

// Submits a copy from the begin of a half of the staging buffer to a buffer.
static bool transfer_put(
    struct transfer *transfer, uint32_t half, const struct buffer *buffer, uint64_t offset,
    uint64_t size, struct problem *problem)
{
    const uint64_t from = half * transfer_half(transfer->gpu);
    struct run run;
    if (!transfer_open(transfer, &run, problem)) {
        return false;
    }
    run_copy(&run, &transfer->staging, from, buffer, offset, size);
    return transfer_start(transfer, half, &run, problem);
}

// A place in lists that are read one after the other.
struct transfer_place {
    uint32_t list;
    uint64_t done; // elements of that list
};

// Takes as many elements of the lists from a place on as fit into a half. With a run, records their
// copies to the half; without one, shows what the half has. Returns the place behind them.
static struct transfer_place transfer_take(
    const struct transfer *transfer, uint32_t half, const struct transfer_list *lists,
    uint32_t count, struct transfer_place at, struct run *run)
{
    const uint64_t most = transfer_half(transfer->gpu);
    uint64_t used = 0;
    for (; at.list < count; at = (struct transfer_place){ at.list + 1, 0 }) {
        const struct transfer_list *list = &lists[at.list];
        const uint64_t left = list->count - at.done, room = (most - used) / list->stride;
        const uint64_t part = left < room ? left : room, size = part * list->stride;
        const uint64_t done = at.done * list->stride;
        const char *elements = transfer_mapped(transfer, half) + used;
        if (run && part > 0) {
            run_copy(
                run, list->buffer, list->offset + done, &transfer->staging, half * most + used,
                size);
        } else if (part > 0 && list->visit) {
            list->visit(list->user, at.done, part, elements);
        } else if (part > 0) {
            memcpy((char *)list->user + done, elements, size);
        }
        used += size;
        at.done += part;
        if (part < left) {
            break;
        }
    }
    return at;
}

// Submits the copies of what transfer_take takes.
static bool transfer_get(
    struct transfer *transfer, uint32_t half, const struct transfer_list *lists, uint32_t count,
    struct transfer_place *at, struct problem *problem)
{
    struct run run;
    if (!transfer_open(transfer, &run, problem)) {
        return false;
    }
    *at = transfer_take(transfer, half, lists, count, *at, &run);
    run_use(&run, &transfer->staging, ACCESS_HOST);
    return transfer_start(transfer, half, &run, problem);
}

// If the device is copying the half, waits until it is done.
static bool transfer_await(struct transfer *transfer, uint32_t half, struct problem *problem)
{
    VkCommandBuffer cmd = transfer->copies[half];
    transfer->copies[half] = NULL;
    return !cmd || gpu_finish(transfer->gpu, cmd, problem);
}

// Waits for all copies. `fine`: whether the transfer went well so far; returns whether it did.
static bool transfer_end(struct transfer *transfer, bool fine, struct problem *problem)
{
    for (uint32_t half = 0; half < HALVES; half++) {
        fine = transfer_await(transfer, half, fine ? problem : NULL) && fine;
    }
    buffer_destroy(transfer->gpu, &transfer->staging);
    return fine;
}

bool transfer_upload(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, const void *data, uint64_t size,
    struct problem *problem)
{
    struct transfer transfer;
    const uint64_t most = transfer_half(gpu);
    bool ok = transfer_begin(gpu, size, BUFFER_UPLOAD, &transfer, problem);
    uint32_t half = 0;
    for (uint64_t done = 0; ok && done < size; done += most) {
        const uint64_t part = size - done < most ? size - done : most;
        ok = transfer_await(&transfer, half, problem);
        if (ok) {
            memcpy(transfer_mapped(&transfer, half), (const char *)data + done, part);
            ok = transfer_put(&transfer, half, buffer, offset + done, part, problem);
        }
        half = (half + 1) % HALVES;
    }
    return transfer_end(&transfer, ok, problem);
}

bool transfer_read(
    struct gpu *gpu, const struct transfer_list *lists, uint32_t count, struct problem *problem)
{
    struct transfer transfer;
    struct transfer_place asked = { 0 }, shown = { 0 };
    uint64_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += lists[i].count * lists[i].stride;
    }
    if (size == 0) {
        return true;
    }
    bool ok = transfer_begin(gpu, size, BUFFER_READBACK, &transfer, problem) &&
              transfer_get(&transfer, 0, lists, count, &asked, problem);
    for (uint32_t half = 0; ok && shown.list < count; half = (half + 1) % HALVES) {
        if (asked.list < count) {
            ok = transfer_get(&transfer, (half + 1) % HALVES, lists, count, &asked, problem);
        }
        ok = ok && transfer_await(&transfer, half, problem);
        if (ok) {
            shown = transfer_take(&transfer, half, lists, count, shown, NULL);
        }
    }
    return transfer_end(&transfer, ok, problem);
}

bool transfer_download(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, void *data, uint64_t size,
    struct problem *problem)
{
    const struct transfer_list list = { buffer, offset, size, 1, NULL, data };
    return transfer_read(gpu, &list, 1, problem);
}
