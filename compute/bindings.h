// Descriptor set 0: the few things that kernels read often enough to deserve more than an address.
#pragma once

#include "compute/gpu/buffer.h"
#include "compute/gpu/image.h"
#include "shaders/shared/extraction.h"

struct bindings {
    VkDescriptorPool pool;
    VkDescriptorSetLayout layout;
    VkDescriptorSet set;
    VkBufferView views[BINDINGS];
    uint64_t serials[BINDINGS]; // of the buffers that the views are of
};

bool bindings_create(struct gpu *gpu, struct bindings *out, struct problem *problem);
void bindings_destroy(struct gpu *gpu, struct bindings *bindings);

// Points a binding at something else; storage buffers as far as a binding reaches. Nothing that
// uses the set may be in flight. PROBLEM_DEVICE_MEMORY where a texel buffer does not reach its end.
bool bindings_set_buffer(
    struct gpu *gpu, struct bindings *bindings, uint32_t binding, const struct buffer *buffer,
    VkFormat format, struct problem *problem);
// The same as far as a texel buffer reaches, for kernels that otherwise read by address, or do not.
bool bindings_set_part(
    struct gpu *gpu, struct bindings *bindings, uint32_t binding, const struct buffer *buffer,
    VkFormat format, struct problem *problem);

// Whether one texel buffer of this format reaches all of a buffer of so many bytes.
bool bindings_hold(const struct gpu *gpu, uint64_t bytes, VkFormat format);

// Whether a buffer of words fits a storage buffer binding, and a texel buffer of words.
bool bindings_reach(const struct gpu *gpu, uint64_t bytes);

void bindings_set_storage(
    struct gpu *gpu, struct bindings *bindings, uint32_t binding, const struct buffer *buffer);
void bindings_set_image(struct gpu *gpu, struct bindings *bindings, const struct image *image);
