#include "compute/gpu/buffer.h"

#include "compute/gpu/memory.h"
#include "compute/gpu/tracker.h"

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
    if (buffer_rounded(size) > gpu->limits.buffer) {
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
    if (buffer_rounded(params->size) > gpu->limits.buffer) {
        problem_set(
            problem, PROBLEM_LIMIT, "the %s would take %.1f MiB, one buffer holds %.1f MiB",
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
