#include "compute/gpu/buffer.h"

#include "compute/gpu/label.h"
#include "compute/gpu/memory.h"
#include "compute/gpu/tracker.h"

#include <math.h>
#include <string.h>

#define EVERY_USAGE                                                                                \
    (VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |                     \
     VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |                \
     VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |                      \
     VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)

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

static uint32_t buffer_texel_bytes(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_R8_UINT:
        return 1;
    case VK_FORMAT_R16_UINT:
        return 2;
    case VK_FORMAT_R32_UINT:
        return 4;
    case VK_FORMAT_R32G32_UINT:
        return 8;
    default:
        return 16;
    }
}

// The limit of the device that a buffer meets first as it grows.
struct buffer_limit {
    uint64_t bytes;
    const char *name;
};

static void buffer_limit_lower(struct buffer_limit *limit, uint64_t bytes, const char *name)
{
    if (bytes < limit->bytes) {
        *limit = (struct buffer_limit){ bytes, name };
    }
}

static struct buffer_limit
buffer_limit_of(const struct gpu *gpu, const struct buffer_params *params)
{
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    struct buffer_limit limit = { gpu->limits.allocation, "maxMemoryAllocationSize" };
    buffer_limit_lower(&limit, gpu->limits.buffer, "maxBufferSize");
    if (params->memory == BUFFER_DEVICE && !params->samples) {
        buffer_limit_lower(&limit, limits->maxStorageBufferRange, "maxStorageBufferRange");
    }
    const bool texels = !params->samples && !params->maybe_texels;
    for (int i = 0; i < BUFFER_VIEWS && params->texels[i] && texels; i++) {
        buffer_limit_lower(
            &limit,
            (uint64_t)limits->maxTexelBufferElements * buffer_texel_bytes(params->texels[i]),
            "maxTexelBufferElements");
    }
    limit.bytes -= limit.bytes % 16;
    return limit;
}

bool buffer_all_texels(const struct gpu *gpu, const struct buffer_params *params)
{
    const uint64_t most = gpu->properties.limits.maxTexelBufferElements;
    return buffer_rounded(params->size) / buffer_texel_bytes(params->texels[0]) <= most;
}

uint64_t buffer_most(const struct gpu *gpu, const struct buffer_params *params)
{
    const uint64_t bytes = buffer_limit_of(gpu, params).bytes;
    const uint64_t vertices = gpu->limits.vertices;
    return params->vertex && vertices < bytes / params->vertex ? vertices * params->vertex : bytes;
}

// False, with a problem, if the buffer exceeds a limit of the device.
static bool buffer_check_limits(
    const struct gpu *gpu, const struct buffer_params *params, struct problem *problem)
{
    const uint64_t size = buffer_rounded(params->size);
    const struct buffer_limit limit = buffer_limit_of(gpu, params);
    if (size > limit.bytes) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "the %s would take %.1f MiB, one buffer of this device holds %.1f MiB (%s)",
            params->name, ceil((double)size / 104857.6) / 10,
            floor((double)limit.bytes / 104857.6) / 10, limit.name);
    }
    if (params->vertex && params->size / params->vertex > gpu->limits.vertices) {
        return problem_set(
            problem, PROBLEM_LIMIT, "a surface of %llu vertices: this device draws at most %llu",
            (unsigned long long)(params->size / params->vertex),
            (unsigned long long)gpu->limits.vertices);
    }
    return true;
}

static VkBufferCreateInfo buffer_info(const struct buffer_params *params)
{
    return (VkBufferCreateInfo){
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = buffer_rounded(params->size),
        .usage = EVERY_USAGE | (params->samples ? VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT : 0),
    };
}

// The driver is not asked about sizes beyond its limit: its answer may wrap at 2^32.
uint64_t buffer_bytes(const struct gpu *gpu, const struct buffer_params *params)
{
    if (!buffer_check_limits(gpu, params, NULL)) {
        return GPU_TOO_MUCH;
    }
    const VkBufferCreateInfo info = buffer_info(params);
    const VkDeviceBufferMemoryRequirements asked = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS,
        .pCreateInfo = &info,
    };
    VkMemoryRequirements2 needs = { .sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2 };
    vkGetDeviceBufferMemoryRequirements(gpu->device, &asked, &needs);
    const uint64_t bytes = needs.memoryRequirements.size;
    return bytes <= gpu->limits.allocation ? bytes : GPU_TOO_MUCH;
}

static bool buffer_make_views(
    struct gpu *gpu, const struct buffer_params *params, struct buffer *buffer,
    struct problem *problem)
{
    const uint64_t most = gpu->properties.limits.maxTexelBufferElements;
    for (int i = 0; i < BUFFER_VIEWS && params->texels[i]; i++) {
        const uint32_t bytes = buffer_texel_bytes(params->texels[i]);
        const uint64_t all = buffer->size / bytes;
        const VkBufferViewCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
            .buffer = buffer->handle,
            .format = params->texels[i],
            .range = (all < most ? all : most) * bytes,
        };
        VK_TRY(vkCreateBufferView(gpu->device, &info, NULL, &buffer->views[i]));
    }
    return true;
fail:
    return false;
}

bool buffer_create(
    struct gpu *gpu, const struct buffer_params *params, struct buffer *out,
    struct problem *problem)
{
    *out = (struct buffer){
        .name = params->name,
        .purpose = params->purpose,
        .slots = params->slots,
    };
    VkMemoryRequirements needs = { 0 };
    if (!buffer_check_limits(gpu, params, problem)) {
        goto fail;
    }
    const VkBufferCreateInfo info = buffer_info(params);
    VK_TRY(vkCreateBuffer(gpu->device, &info, NULL, &out->handle));
    vkGetBufferMemoryRequirements(gpu->device, out->handle, &needs);
    if (!memory_allocate(
            gpu, &needs, kinds[params->memory].wanted, kinds[params->memory].accepted, params->name,
            params->purpose, &out->memory, problem)) {
        goto fail;
    }
    label_object(gpu, VK_OBJECT_TYPE_BUFFER, out->handle, params->name);
    label_object(gpu, VK_OBJECT_TYPE_DEVICE_MEMORY, out->memory, params->name);
    out->size = info.size;
    out->held = needs.size;
    out->serial = ++gpu->buffers_made;
    VK_TRY(vkBindBufferMemory(gpu->device, out->handle, out->memory, 0));
    if (!buffer_make_views(gpu, params, out, problem)) {
        goto fail;
    }
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
    if (gpu->tracker && buffer->serial) {
        tracker_forget(gpu->tracker, buffer_place(buffer, 0), buffer->size);
    }
    for (int i = 0; i < BUFFER_VIEWS && buffer->handle && !gpu->lost; i++) {
        vkDestroyBufferView(gpu->device, buffer->views[i], NULL);
    }
    if (buffer->handle && !gpu->lost) {
        vkDestroyBuffer(gpu->device, buffer->handle, NULL);
        memory_free(gpu, buffer->memory, buffer->held, buffer->purpose);
    }
    *buffer = (struct buffer){ 0 };
}

bool buffers_create(
    struct gpu *gpu, const struct buffer_params *params, uint32_t count, enum purpose purpose,
    struct buffer *out, struct problem *problem)
{
    bool made = true;
    for (uint32_t i = 0; made && i < count; i++) {
        struct buffer_params own = params[i];
        own.purpose = purpose;
        made = buffer_create(gpu, &own, &out[i], problem);
    }
    return made;
}

void buffers_destroy(struct gpu *gpu, struct buffer *buffers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        buffer_destroy(gpu, &buffers[i]);
    }
}

uint64_t buffers_bytes(const struct gpu *gpu, const struct buffer_params *params, uint32_t count)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += buffer_bytes(gpu, &params[i]);
    }
    return bytes;
}
