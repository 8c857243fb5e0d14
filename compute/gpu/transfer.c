#include "compute/gpu/transfer.h"

#include "compute/gpu/run.h"

#include <string.h>

// The most bytes that one copy moves: no more than a staging buffer can have.
static uint64_t transfer_staging_most(const struct gpu *gpu)
{
    const struct gpu_limits *limits = &gpu->limits;
    const uint64_t most = limits->buffer < limits->allocation ? limits->buffer : limits->allocation;
    const uint64_t wanted = (uint64_t)4 << 20;
    return most < wanted ? most / 256 * 256 : wanted;
}

static uint64_t transfer_staging_size(const struct gpu *gpu, uint64_t size)
{
    return size < transfer_staging_most(gpu) ? size : transfer_staging_most(gpu);
}

// Copies one block of a transfer, in a submission of its own.
static bool transfer_copy(
    struct gpu *gpu, const struct buffer *from, uint64_t from_offset, const struct buffer *to,
    uint64_t to_offset, uint64_t size, bool to_host, struct problem *problem)
{
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, gpu, cmd, NULL);
    run_copy(&run, from, from_offset, to, to_offset, size);
    if (to_host) {
        run_use(&run, to, ACCESS_HOST);
    }
    return gpu_submit_and_wait(gpu, cmd, problem);
}

static struct buffer_params
transfer_staging(const struct gpu *gpu, uint64_t size, enum buffer_memory memory)
{
    return (struct buffer_params){
        .name = "staging buffer",
        .size = transfer_staging_size(gpu, size),
        .memory = memory,
        .purpose = PURPOSE_STAGING,
    };
}

uint64_t transfer_staging_bytes(const struct gpu *gpu, uint64_t size)
{
    const struct buffer_params params = transfer_staging(gpu, size, BUFFER_READBACK);
    return buffer_bytes(gpu, &params);
}

static bool transfer_create_staging(
    struct gpu *gpu, uint64_t size, enum buffer_memory memory, struct buffer *out,
    struct problem *problem)
{
    const struct buffer_params params = transfer_staging(gpu, size, memory);
    return buffer_create(gpu, &params, out, problem);
}

bool transfer_upload(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, const void *data, uint64_t size,
    struct problem *problem)
{
    struct buffer staging;
    bool ok = transfer_create_staging(gpu, size, BUFFER_UPLOAD, &staging, problem);
    for (uint64_t done = 0; ok && done < size;) {
        const uint64_t part = transfer_staging_size(gpu, size - done);
        memcpy(staging.mapped, (const char *)data + done, part);
        ok = transfer_copy(gpu, &staging, 0, buffer, offset + done, part, false, problem);
        done += part;
    }
    buffer_destroy(gpu, &staging);
    return ok;
}

bool transfer_read(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, uint64_t count, uint32_t stride,
    void (*visit)(void *user, uint64_t first, uint64_t count, const void *elements), void *user,
    struct problem *problem)
{
    struct buffer staging;
    const uint64_t most = transfer_staging_most(gpu) / stride;
    bool ok = transfer_create_staging(gpu, count * stride, BUFFER_READBACK, &staging, problem);
    for (uint64_t done = 0; ok && done < count;) {
        const uint64_t part = count - done < most ? count - done : most;
        ok = transfer_copy(
            gpu, buffer, offset + done * stride, &staging, 0, part * stride, true, problem);
        if (ok) {
            visit(user, done, part, staging.mapped);
        }
        done += part;
    }
    buffer_destroy(gpu, &staging);
    return ok;
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
