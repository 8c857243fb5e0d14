// Physical devices: which of them cubist can use. Only gpu.c calls the functions.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

struct gpu_params {
    const char *device; // index or part of a name; NULL: the best usable device
    // For several processes of this host that each open a device, if `device` is NULL: the number
    // of this process, from 0 on, and the number of processes. They take the usable devices of the
    // best type in turns, in the order of their `place`. processes 0: this process is alone.
    uint32_t process, processes;
    // Enables the validation layers with synchronization validation, and our own tracker
    // (tracker.h).
    bool validate;
    // The device must be able to draw: render and view need that. Everything else only computes, so
    // it takes a device without a graphics queue, too.
    bool draws;
    // Whether the window can show pictures of this queue family; NULL: there is no window. It is
    // called after volk has loaded the instance. If not NULL, VK_KHR_swapchain is enabled.
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
    // Identifies the device in all processes of this host: 0 and its PCI address, most significant
    // byte first; if the driver does not report the address, 1 and its UUID.
    unsigned char place[1 + VK_UUID_SIZE];
    bool computes;     // usable for everything but drawing
    bool usable;       // it computes, and draws if drawing was asked for
    bool blind;        // it is usable, but cannot show the window's pictures
    char reason[2048]; // what it lacks, or why it is blind; empty: usable and not blind
    struct gpu_lack lacks[GPU_LACKS];
    uint32_t lack_count;
};

// Creates a Vulkan 1.3 instance with the requested extensions. Adds debug utils if they are
// available or params->validate is set. PROBLEM_NO_DEVICE when there is no loader, no driver, or a
// layer or extension is missing.
bool physical_create_instance(
    const struct gpu_params *params, VkInstance *out, struct problem *problem);

// The version of Vulkan for which the validation layer was made; 0: it is not installed.
uint32_t physical_validation_version(void);

// Lists all physical devices. *out is malloc'ed, the caller frees it.
bool physical_list(
    VkInstance instance, VkPhysicalDevice **out, uint32_t *count, struct problem *problem);

// Fills in a row: name, type, driver, what the device lacks, and whether cubist can use it.
// `draws`: to be usable it must draw, too.
void physical_describe(VkPhysicalDevice physical, uint32_t index, bool draws, struct gpu_row *out);

// Index of the row for this process, see gpu_params. `best`: index of the row for a single process.
uint32_t physical_take_turns(
    const struct gpu_row *rows, uint32_t count, uint32_t best, const struct gpu_params *params);

// Writes the names of what the device lacks to compute, separated by commas. `drawing`: instead,
// what it lacks only to draw.
void physical_list_lacks(const struct gpu_row *row, bool drawing, char *out, size_t size);

// A queue family that computes. One that also draws is preferred; with `draws` it is required.
// UINT32_MAX if there is none.
uint32_t physical_queue_family(VkPhysicalDevice physical, bool draws);

// The properties of a device, read in one call. `pci` is valid only if has_pci is set.
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

// Whether the device has the extension; if `physical` is NULL, whether the instance has it.
bool physical_has_extension(VkPhysicalDevice physical, const char *name);
