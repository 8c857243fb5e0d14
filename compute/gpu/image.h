// A 2D image (or array of them) with its own memory and a view of all its layers.
#pragma once

#include "compute/gpu/gpu.h"

struct image_params {
    const char *name;
    VkFormat format;
    VkFormat bytes; // format of a second view of the same bytes; 0: no second view
    uint32_t width, height;
    uint32_t layers; // 0: a plain 2D view; otherwise a 2D array view of so many layers
    VkSampleCountFlagBits samples; // 0: one sample
    VkImageUsageFlags usage;
    VkImageAspectFlags aspect; // 0: colour
    enum purpose purpose;
};

struct image {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
    VkImageView bytes; // the second view; null if params had none
    VkFormat format;
    uint32_t width, height, layers;
    uint64_t size;   // bytes of memory
    uint64_t serial; // unique among all images of this gpu; drivers reuse handles
    enum purpose purpose;
};

// PROBLEM_DEVICE_MEMORY when memory is short; PROBLEM_LIMIT when it exceeds the limit of one image
// or of one allocation. On false `out` is empty.
bool image_create(
    struct gpu *gpu, const struct image_params *params, struct image *out, struct problem *problem);
void image_destroy(struct gpu *gpu, struct image *image);

// Device memory that an image with these parameters takes; GPU_TOO_MUCH if it exceeds the limit of
// one image or of one allocation.
uint64_t image_bytes(const struct gpu *gpu, const struct image_params *params);
