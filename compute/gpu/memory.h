// Device memory: one allocation per resource, counted in the budget.
#pragma once

#include "compute/gpu/gpu.h"

// Allocates memory for `needs` from a memory type with the `wanted` flags; if there is none, with
// the `accepted` flags. The message uses `name`, and states the needed and the free bytes.
// PROBLEM_DEVICE_MEMORY when memory is short, PROBLEM_LIMIT when one allocation cannot be so large,
// PROBLEM_UNSUPPORTED when the device has no such memory.
bool memory_allocate(
    struct gpu *gpu, const VkMemoryRequirements *needs, VkMemoryPropertyFlags wanted,
    VkMemoryPropertyFlags accepted, const char *name, enum purpose purpose, VkDeviceMemory *out,
    struct problem *problem);

// Frees the memory and subtracts `size` bytes from the budget. Takes VK_NULL_HANDLE.
void memory_free(struct gpu *gpu, VkDeviceMemory memory, uint64_t size, enum purpose purpose);
