// Device memory: one allocation per resource, counted.
#pragma once

#include "compute/gpu/gpu.h"

// Allocates for `needs` from a type with `wanted` flags (else `accepted`). `name` is for the
// message, which says need and have. `address`: for buffers used by address.
bool memory_allocate(
    struct gpu *gpu, const VkMemoryRequirements *needs, VkMemoryPropertyFlags wanted,
    VkMemoryPropertyFlags accepted, bool address, const char *name, enum purpose purpose,
    VkDeviceMemory *out, struct problem *problem);

// Frees and counts `size` bytes down. Takes null.
void memory_free(struct gpu *gpu, VkDeviceMemory memory, uint64_t size, enum purpose purpose);
