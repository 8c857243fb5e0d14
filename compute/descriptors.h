// Descriptor set 0: data that kernels read so often that a descriptor is faster than an address.
#pragma once

#include "compute/gpu/buffer.h"
#include "compute/gpu/image.h"
#include "shaders/shared/extraction.h"

struct descriptors {
    VkDescriptorPool pool;
    VkDescriptorSetLayout layout;
    VkDescriptorSet set;
    VkBufferView views[BINDINGS];
    uint64_t serials[BINDINGS]; // of the buffers that the views are of
};

bool descriptors_create(struct gpu *gpu, struct descriptors *out, struct problem *problem);
void descriptors_destroy(struct gpu *gpu, struct descriptors *descriptors);

// Points the descriptor of a binding at a texel buffer, all of it. Nothing that uses the set may be
// in flight. PROBLEM_LIMIT if a texel buffer does not reach the end.
bool descriptors_set_buffer(
    struct gpu *gpu, struct descriptors *descriptors, uint32_t binding, const struct buffer *buffer,
    VkFormat format, struct problem *problem);
// The same as far as a texel buffer reaches, for kernels that read the rest by address, or not at
// all.
bool descriptors_set_part(
    struct gpu *gpu, struct descriptors *descriptors, uint32_t binding, const struct buffer *buffer,
    VkFormat format, struct problem *problem);

// Whether one texel buffer of this format covers a buffer of so many bytes; otherwise PROBLEM_LIMIT
// with the name. VK_FORMAT_UNDEFINED: it is not read as texels.
bool descriptors_hold(
    const struct gpu *gpu, const char *name, uint64_t bytes, VkFormat format,
    struct problem *problem);

// Whether a buffer of words fits a storage buffer descriptor and a texel buffer of words.
bool descriptors_reach(const struct gpu *gpu, uint64_t bytes);

// Points the descriptor of a binding at a storage buffer, as far as a descriptor reaches. Nothing
// that uses the set may be in flight.
void descriptors_set_storage(
    struct gpu *gpu, struct descriptors *descriptors, uint32_t binding,
    const struct buffer *buffer);
void descriptors_set_image(
    struct gpu *gpu, struct descriptors *descriptors, const struct image *image);
