// A 2D image (or array of them) with its own memory and a view of all its layers.
#pragma once

#include "compute/gpu/gpu.h"

struct image_params {
    const char *name;
    VkFormat format;
    VkFormat bytes; // of a second view, which sees the same bytes in another format; 0: none
    uint32_t width, height;
    uint32_t layers; // 0: a plain 2D view; otherwise a 2D array view of so many layers
    VkSampleCountFlagBits samples; // 0: one
    VkImageUsageFlags usage;
    VkImageAspectFlags aspect; // 0: colour
    enum purpose purpose;
};

struct image {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
    VkImageView bytes; // null if none was asked for
    VkFormat format;
    uint32_t width, height, layers;
    uint64_t size;   // bytes of memory
    uint64_t serial; // no other image of this gpu has it; handles come back
    enum purpose purpose;
};

// PROBLEM_DEVICE_MEMORY when memory is short; PROBLEM_LIMIT when the image exceeds one image or one
// allocation. On false `out` is empty.
bool image_create(
    struct gpu *gpu, const struct image_params *params, struct image *out, struct problem *problem);
void image_destroy(struct gpu *gpu, struct image *image);

// Device memory that an image with these parameters takes; GPU_TOO_MUCH if it exceeds one image or
// one allocation.
uint64_t image_bytes(const struct gpu *gpu, const struct image_params *params);
