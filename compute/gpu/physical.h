// Physical devices: which of them cubist can use. Only gpu.c calls the functions.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

struct gpu_params {
    const char *device; // index or part of a name; NULL: the best usable device
    // Validation layers with synchronization validation, and our own tracker (tracker.h).
    bool validate;
    bool present;                  // enable VK_KHR_swapchain
    const char *const *extensions; // instance extensions that the window needs
    uint32_t extension_count;
};

// One row per physical device, usable or not.
struct gpu_row {
    uint32_t index;
    char name[256];
    char type[16]; // "discrete", "integrated", "virtual", "cpu", "other"
    char driver[256];
    bool usable;
    char reason[256]; // why it is not usable; empty if it is
};

// Creates a Vulkan 1.3 instance with the wanted extensions, and debug utils if params->validate is
// set. PROBLEM_NO_DEVICE when there is no loader, no driver, or a layer or extension is missing.
bool physical_create_instance(
    const struct gpu_params *params, VkInstance *out, struct problem *problem);

// Lists all physical devices. *out is malloc'ed, the caller frees it.
bool physical_list(
    VkInstance instance, VkPhysicalDevice **out, uint32_t *count, struct problem *problem);

// Fills a row: name, type, driver, whether cubist can use the device, and the reason if it cannot.
void physical_describe(VkPhysicalDevice physical, uint32_t index, struct gpu_row *out);

// The queue family that can both draw and compute; UINT32_MAX when there is none.
uint32_t physical_queue_family(VkPhysicalDevice physical);

bool physical_has_extension(VkPhysicalDevice physical, const char *name);
