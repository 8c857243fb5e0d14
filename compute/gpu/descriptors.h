// A descriptor set, with a layout and a pool of its own.
#pragma once

#include "compute/gpu/gpu.h"

#define DESCRIPTORS_MOST 24 // bindings of a set

// Zero-initialised: none. Release with descriptors_destroy.
struct descriptors {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

// `count`: at least 1. `name` labels the set for tools. On false `out` is empty.
bool descriptors_create(
    struct gpu *gpu, const VkDescriptorSetLayoutBinding *bindings, uint32_t count, const char *name,
    struct descriptors *out, struct problem *problem);

// Nothing that uses the set may be in flight.
void descriptors_destroy(struct gpu *gpu, struct descriptors *descriptors);
