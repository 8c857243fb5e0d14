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

// Submits a copy between a half of the staging buffer, from its begin on, and a buffer.
static bool transfer_start(
    struct transfer *transfer, uint32_t half, const struct buffer *buffer, uint64_t offset,
    uint64_t size, bool to_host, struct problem *problem)
{
    struct gpu *gpu = transfer->gpu;
    const uint64_t at = half * transfer_half(gpu);
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, gpu, cmd, NULL);
    if (to_host) {
        run_copy(&run, buffer, offset, &transfer->staging, at, size);
        run_use(&run, &transfer->staging, ACCESS_HOST);
    } else {
        run_copy(&run, &transfer->staging, at, buffer, offset, size);
    }
    const bool started = gpu_start(gpu, cmd, problem);
    transfer->copies[half] = started ? cmd : NULL;
    return started;
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
            ok = transfer_start(&transfer, half, buffer, offset + done, part, false, problem);
        }
        half = (half + 1) % HALVES;
    }
    return transfer_end(&transfer, ok, problem);
}

bool transfer_read(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, uint64_t count, uint32_t stride,
    void (*visit)(void *user, uint64_t first, uint64_t count, const void *elements), void *user,
    struct problem *problem)
{
    struct transfer transfer;
    const uint64_t most = transfer_half(gpu) / stride;
    bool ok = transfer_begin(gpu, count * stride, BUFFER_READBACK, &transfer, problem);
    uint32_t half = 0;
    uint64_t shown = 0; // elements that `visit` got
    for (uint64_t asked = 0; ok && shown < count; half = (half + 1) % HALVES) {
        const uint64_t part = count - asked < most ? count - asked : most;
        const bool ahead = asked > shown;
        if (part > 0) {
            ok = transfer_start(
                &transfer, half, buffer, offset + asked * stride, part * stride, true, problem);
        }
        if (ok && ahead) { // the copy before this one
            const uint32_t other = (half + 1) % HALVES;
            ok = transfer_await(&transfer, other, problem);
            if (ok) {
                visit(user, shown, asked - shown, transfer_mapped(&transfer, other));
            }
            shown = asked;
        }
        asked += part;
    }
    return transfer_end(&transfer, ok, problem);
}

static void transfer_copy_block(void *user, uint64_t first, uint64_t count, const void *bytes)
{
    memcpy((char *)user + first, bytes, count);
}

bool transfer_download(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, void *data, uint64_t size,
    struct problem *problem)
{
    return transfer_read(gpu, buffer, offset, size, 1, transfer_copy_block, data, problem);
}
