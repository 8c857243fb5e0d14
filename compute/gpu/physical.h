// Which physical devices can run cubist, and which one does. Used by gpu.c only.
#pragma once

#include "compute/gpu/gpu.h"

// Creates an instance (Vulkan 1.3) with the extensions, debug utils where wanted and there.
// PROBLEM_NO_DEVICE when there is no loader, no driver, or a layer or extension is missing.
bool physical_create_instance(
    const struct gpu_params *params, VkInstance *out, struct problem *problem);

// All physical devices; *out is malloc'ed.
bool physical_list(
    VkInstance instance, VkPhysicalDevice **out, uint32_t *count, struct problem *problem);

// Fills a row: name, type, driver, and whether cubist can use the device, with the reason.
void physical_describe(VkPhysicalDevice physical, uint32_t index, struct gpu_row *out);

// The family of queues that draw and compute; UINT32_MAX where there is none.
uint32_t physical_queue_family(VkPhysicalDevice physical);

bool physical_has_extension(VkPhysicalDevice physical, const char *name);
