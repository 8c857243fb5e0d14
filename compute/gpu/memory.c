#include "compute/gpu/memory.h"

#include "volumes/base/size.h"

#include <stdlib.h>

// Free bytes in one heap for this purpose, as far as the driver reports them.
static uint64_t memory_heap_free(const struct gpu *gpu, uint32_t heap, enum purpose purpose)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT,
    };
    VkPhysicalDeviceMemoryProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
        .pNext = gpu->memory_budget ? &budget : NULL,
    };
    vkGetPhysicalDeviceMemoryProperties2(gpu->physical, &properties);
    const uint64_t all = properties.memoryProperties.memoryHeaps[heap].size;
    const uint64_t size = gpu->memory_budget ? budget.heapBudget[heap] : all;
    const struct budget *ours = &gpu->budget;
    const uint64_t used = gpu->memory_budget ? budget.heapUsage[heap] : ours->allocated;
    uint64_t left = size > used ? size - used : 0;
    if (gpu->software) {
        // Llvmpipe's heap size says nothing: the machine's memory is the limit.
        left = size_memory_free();
    }
    if (ours->limit) {
        const uint64_t allowed = ours->limit > ours->allocated ? ours->limit - ours->allocated : 0;
        left = allowed < left ? allowed : left;
    }
    const uint64_t kept = budget_taken(ours, purpose) - ours->allocated;
    return left > kept ? left - kept : 0;
}

uint64_t gpu_memory_free_for(const struct gpu *gpu, enum purpose purpose)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < gpu->memory.memoryHeapCount; i++) {
        if (gpu->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) {
            const uint64_t left = memory_heap_free(gpu, i, purpose);
            most = left > most ? left : most;
        }
    }
    return most;
}

uint64_t gpu_memory_free(const struct gpu *gpu)
{
    return gpu_memory_free_for(gpu, PURPOSE_SCRATCH);
}

static uint32_t
memory_find_type(const struct gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags flags)
{
    for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; i++) {
        if ((allowed & 1u << i) && (gpu->memory.memoryTypes[i].propertyFlags & flags) == flags) {
            return i;
        }
    }
    return UINT32_MAX;
}

static bool memory_refuse(const char *name, uint64_t need, uint64_t have, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_DEVICE_MEMORY,
        "not enough device memory for the %s: %.1f MiB needed, %.1f MiB free", name,
        (double)need / 1048576, (double)have / 1048576);
}

bool memory_allocate(
    struct gpu *gpu, const VkMemoryRequirements *needs, VkMemoryPropertyFlags wanted,
    VkMemoryPropertyFlags accepted, const char *name, enum purpose purpose, VkDeviceMemory *out,
    struct problem *problem)
{
    *out = VK_NULL_HANDLE;
    uint32_t type = memory_find_type(gpu, needs->memoryTypeBits, wanted);
    if (type == UINT32_MAX) {
        type = memory_find_type(gpu, needs->memoryTypeBits, accepted);
    }
    if (type == UINT32_MAX) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED, "the device has no memory for the %s", name);
    }
    if (needs->size > gpu->limits.allocation) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "the %s takes %.1f MiB, this device gives at most %.1f MiB at a time "
            "(maxMemoryAllocationSize)",
            name, (double)needs->size / 1048576, (double)gpu->limits.allocation / 1048576);
    }
    const uint64_t have = memory_heap_free(gpu, gpu->memory.memoryTypes[type].heapIndex, purpose);
    if (needs->size > have) {
        return memory_refuse(name, needs->size, have, problem);
    }
    const uint32_t most = gpu->properties.limits.maxMemoryAllocationCount;
    if (gpu->allocations >= most) {
        return problem_set(
            problem, PROBLEM_DEVICE_MEMORY,
            "the device holds no more than %u allocations (maxMemoryAllocationCount): the %s would "
            "be another one",
            most, name);
    }
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs->size,
        .memoryTypeIndex = type,
    };
    const VkResult result = vkAllocateMemory(gpu->device, &info, NULL, out);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
        return memory_refuse(name, needs->size, have, problem);
    }
    if (result != VK_SUCCESS) {
        return gpu_refused(result, "vkAllocateMemory", __FILE__, __LINE__, problem);
    }
    gpu->allocations++;
    budget_add(&gpu->budget, purpose, needs->size);
    return true;
}

void memory_free(struct gpu *gpu, VkDeviceMemory memory, uint64_t size, enum purpose purpose)
{
    if (memory) {
        vkFreeMemory(gpu->device, memory, NULL);
        gpu->allocations--;
        budget_remove(&gpu->budget, purpose, size);
    }
}
