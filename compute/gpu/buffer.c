#include "compute/gpu/buffer.h"

#include "compute/gpu/memory.h"
#include "compute/gpu/run.h"

#include <string.h>

#define EVERY_USAGE                                                                                \
    (VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |               \
     VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |                \
     VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |                      \
     VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |                         \
     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)

static const struct {
    VkMemoryPropertyFlags wanted, accepted;
} kinds[] = {
    [BUFFER_DEVICE] = { VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0 },
    [BUFFER_UPLOAD] = { VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT },
    [BUFFER_READBACK] = { VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                              VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                              VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
                          VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                              VK_MEMORY_PROPERTY_HOST_COHERENT_BIT },
};

uint64_t buffer_rounded(uint64_t size)
{
    return size < 16 ? 16 : (size + 15) / 16 * 16;
}

static VkBufferCreateInfo buffer_info(uint64_t size)
{
    return (VkBufferCreateInfo){
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = buffer_rounded(size),
        .usage = EVERY_USAGE,
    };
}

// Drivers are not asked beyond their limit: what they answer there may wrap at 2^32.
uint64_t buffer_bytes(const struct gpu *gpu, uint64_t size)
{
    if (size > gpu->limits.buffer) {
        return GPU_TOO_MUCH;
    }
    const VkBufferCreateInfo info = buffer_info(size);
    const VkDeviceBufferMemoryRequirements asked = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS,
        .pCreateInfo = &info,
    };
    VkMemoryRequirements2 needs = { .sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2 };
    vkGetDeviceBufferMemoryRequirements(gpu->device, &asked, &needs);
    const uint64_t bytes = needs.memoryRequirements.size;
    return bytes <= gpu->limits.allocation ? bytes : GPU_TOO_MUCH;
}

bool buffer_create(
    struct gpu *gpu, const struct buffer_params *params, struct buffer *out,
    struct problem *problem)
{
    *out = (struct buffer){ .name = params->name, .purpose = params->purpose };
    VkMemoryRequirements needs = { 0 };
    if (params->size > gpu->limits.buffer) {
        problem_set(
            problem, PROBLEM_DEVICE_MEMORY, "the %s would take %.1f MiB, one buffer holds %.1f MiB",
            params->name, (double)params->size / 1048576, (double)gpu->limits.buffer / 1048576);
        goto fail;
    }
    const VkBufferCreateInfo info = buffer_info(params->size);
    VK_TRY(vkCreateBuffer(gpu->device, &info, NULL, &out->handle));
    vkGetBufferMemoryRequirements(gpu->device, out->handle, &needs);
    if (!memory_allocate(
            gpu, &needs, kinds[params->memory].wanted, kinds[params->memory].accepted, true,
            params->name, params->purpose, &out->memory, problem)) {
        goto fail;
    }
    out->size = info.size;
    out->held = needs.size;
    out->serial = ++gpu->buffers_made;
    VK_TRY(vkBindBufferMemory(gpu->device, out->handle, out->memory, 0));
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = out->handle,
    };
    out->address = vkGetBufferDeviceAddress(gpu->device, &address);
    if (params->memory != BUFFER_DEVICE) {
        VK_TRY(vkMapMemory(gpu->device, out->memory, 0, VK_WHOLE_SIZE, 0, &out->mapped));
    }
    return true;
fail:
    buffer_destroy(gpu, out);
    return false;
}

void buffer_destroy(struct gpu *gpu, struct buffer *buffer)
{
    if (gpu->tracker && buffer->address) {
        tracker_forget(gpu->tracker, buffer->address, buffer->size);
    }
    if (buffer->handle && !gpu->lost) {
        vkDestroyBuffer(gpu->device, buffer->handle, NULL);
        memory_free(gpu, buffer->memory, buffer->held, buffer->purpose);
    }
    *buffer = (struct buffer){ 0 };
}

// That are moved at a time: no more than one buffer and its memory hold.
static uint64_t buffer_staging_most(const struct gpu *gpu)
{
    const struct gpu_limits *limits = &gpu->limits;
    const uint64_t most = limits->buffer < limits->allocation ? limits->buffer : limits->allocation;
    const uint64_t wanted = (uint64_t)4 << 20;
    return most < wanted ? most / 256 * 256 : wanted;
}

static uint64_t buffer_staging_size(const struct gpu *gpu, uint64_t size)
{
    return size < buffer_staging_most(gpu) ? size : buffer_staging_most(gpu);
}

// Copies one block of a transfer, in a submission of its own.
static bool buffer_copy(
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

uint64_t buffer_staging_bytes(const struct gpu *gpu, uint64_t size)
{
    return buffer_bytes(gpu, buffer_staging_size(gpu, size));
}

static bool buffer_create_staging(
    struct gpu *gpu, uint64_t size, enum buffer_memory memory, struct buffer *out,
    struct problem *problem)
{
    return buffer_create(
        gpu,
        &(struct buffer_params){
            .name = "staging buffer",
            .size = buffer_staging_size(gpu, size),
            .memory = memory,
            .purpose = PURPOSE_STAGING,
        },
        out, problem);
}

bool buffer_upload(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, const void *data, uint64_t size,
    struct problem *problem)
{
    struct buffer staging;
    bool ok = buffer_create_staging(gpu, size, BUFFER_UPLOAD, &staging, problem);
    for (uint64_t done = 0; ok && done < size;) {
        const uint64_t part = buffer_staging_size(gpu, size - done);
        memcpy(staging.mapped, (const char *)data + done, part);
        ok = buffer_copy(gpu, &staging, 0, buffer, offset + done, part, false, problem);
        done += part;
    }
    buffer_destroy(gpu, &staging);
    return ok;
}

// Reads `count` elements in blocks, beginning at byte `offset`.
static bool buffer_read_from(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, uint64_t count, uint32_t stride,
    void (*visit)(void *user, uint64_t first, uint64_t count, const void *elements), void *user,
    struct problem *problem)
{
    struct buffer staging;
    const uint64_t most = buffer_staging_most(gpu) / stride;
    bool ok = buffer_create_staging(gpu, count * stride, BUFFER_READBACK, &staging, problem);
    for (uint64_t done = 0; ok && done < count;) {
        const uint64_t part = count - done < most ? count - done : most;
        ok = buffer_copy(
            gpu, buffer, offset + done * stride, &staging, 0, part * stride, true, problem);
        if (ok) {
            visit(user, done, part, staging.mapped);
        }
        done += part;
    }
    buffer_destroy(gpu, &staging);
    return ok;
}

bool buffer_read(
    struct gpu *gpu, const struct buffer *buffer, uint64_t count, uint32_t stride,
    void (*visit)(void *user, uint64_t first, uint64_t count, const void *elements), void *user,
    struct problem *problem)
{
    return buffer_read_from(gpu, buffer, 0, count, stride, visit, user, problem);
}

static void buffer_copy_bytes(void *user, uint64_t first, uint64_t count, const void *bytes)
{
    memcpy((char *)user + first, bytes, count);
}

bool buffer_download(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, void *data, uint64_t size,
    struct problem *problem)
{
    return buffer_read_from(gpu, buffer, offset, size, 1, buffer_copy_bytes, data, problem);
}
