// Physical devices: which of them cubist can use. Only gpu.c calls the functions.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

struct gpu_params {
    const char *device; // index or part of a name; NULL: the best usable device
    // Where several processes of this host each open a device, and `device` is NULL: the number of
    // this one, from 0 on, and how many they are. The best usable devices that are of one type take
    // turns, in the order of their `place`. 0 processes: this one alone.
    uint32_t process, processes;
    // Validation layers with synchronization validation, and our own tracker (tracker.h).
    bool validate;
    // The device must be able to draw: render and view need that. Everything else only computes, so
    // it takes a device without a graphics queue, too.
    bool draws;
    // Whether the window can show pictures of this queue family; NULL: there is no window. It is
    // called after volk has loaded the instance. Enables VK_KHR_swapchain.
    bool (*presents)(VkInstance instance, VkPhysicalDevice physical, uint32_t queue_family);
    const char *const *extensions; // instance extensions that the window needs
    uint32_t extension_count;
};

// What a device lacks.
struct gpu_lack {
    char name[96];   // "synchronization2", "maxPushConstantsSize of 128 (it has 64)"
    bool to_compute; // false: only drawing needs it
};

#define GPU_LACKS 32

// One row per physical device, usable or not.
struct gpu_row {
    uint32_t index;
    char name[256];
    char type[16]; // "discrete", "integrated", "virtual", "cpu", "other"
    char driver[256];
    // Where it is: 0 and its PCI address, most significant byte first; or where the driver does not
    // say that, 1 and its UUID. The same in every process of this host.
    unsigned char place[1 + VK_UUID_SIZE];
    bool computes;     // usable for everything but drawing
    bool usable;       // the same, and for drawing, if drawing was asked for
    bool blind;        // it is usable, but cannot show the window's pictures
    char reason[2048]; // why it is not usable: all that it lacks; or blind; empty if it is neither
    struct gpu_lack lacks[GPU_LACKS];
    uint32_t lack_count;
};

// Creates a Vulkan 1.3 instance with the wanted extensions, and debug utils where they are there or
// params->validate is set. PROBLEM_NO_DEVICE when there is no loader, no driver, or a layer or
// extension is missing.
bool physical_create_instance(
    const struct gpu_params *params, VkInstance *out, struct problem *problem);

// The version of Vulkan for which the validation layer was made; 0: it is not installed.
uint32_t physical_validation_version(void);

// Lists all physical devices. *out is malloc'ed, the caller frees it.
bool physical_list(
    VkInstance instance, VkPhysicalDevice **out, uint32_t *count, struct problem *problem);

// Fills a row: name, type, driver, what the device lacks, and whether cubist can use it, for
// drawing, too, if it `draws`.
void physical_describe(VkPhysicalDevice physical, uint32_t index, bool draws, struct gpu_row *out);

// The row for this process, see gpu_params. `best`: the row that it would take alone.
uint32_t physical_take_turns(
    const struct gpu_row *rows, uint32_t count, uint32_t best, const struct gpu_params *params);

// The names of what is lacking, with commas between them. `drawing`: only what drawing needs in
// addition.
void physical_list_lacks(const struct gpu_row *row, bool drawing, char *out, size_t size);

// A queue family that computes. One that also draws is preferred; with `draws` it is required.
// UINT32_MAX if there is none.
uint32_t physical_queue_family(VkPhysicalDevice physical, bool draws);

// What the driver says of a device, read at once. The last one only if the driver knows it.
struct physical_properties {
    VkPhysicalDeviceProperties2 device;
    VkPhysicalDeviceDriverProperties driver;
    VkPhysicalDeviceIDProperties id;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceSubgroupSizeControlProperties sizes;
    VkPhysicalDeviceMaintenance3Properties allocations;
    VkPhysicalDeviceMaintenance4Properties buffers;
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci;
    bool has_pci;
};
void physical_read_properties(VkPhysicalDevice physical, struct physical_properties *out);

// Of the instance if `physical` is NULL.
bool physical_has_extension(VkPhysicalDevice physical, const char *name);
