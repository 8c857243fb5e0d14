// A descriptor set for the bindings of some shaders, with the layout of their pipelines. All
// follows from what shaders/reflect.c has found in the shaders.
#pragma once

#include "compute/gpu/buffer.h"
#include "compute/gpu/image.h"
#include "shaders/shader.h"
#include "shaders/shared/bindings.h"

#define DESCRIPTORS_MOST 24 // bindings of a set

// What a shader finds at one binding number of shaders/shared/bindings.h: a buffer, one slot of a
// buffer with slots, or an image. All zero: nothing. A table with an entry for each of the BINDINGS
// numbers is bound before a shader runs.
struct binding {
    const struct buffer *buffer;
    uint32_t slot;
    uint32_t view; // the buffer's view that is read as texels; of an image 1: that of its bytes
    const struct image *image;
    VkSampler sampler; // of SHADER_SAMPLED
};

// Zero-initialised: none. Release with descriptors_destroy.
struct descriptors {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set; // null if the shaders have no bindings
    VkPipelineLayout pipeline_layout;
    VkShaderStageFlags push_stages; // 0: no push constants
    uint32_t push_size;             // bytes
    uint32_t count;
    struct shader_binding bindings[DESCRIPTORS_MOST]; // of all shaders
    uint64_t bound[DESCRIPTORS_MOST];                 // what is bound, as a number; 0: nothing
};

// `count`: 1 for a compute shader, 2 for a vertex and a fragment shader. `name` labels the objects
// for tools. On false `out` is empty.
bool descriptors_create(
    struct gpu *gpu, const struct shader *const shaders[], uint32_t count, const char *name,
    struct descriptors *out, struct problem *problem);

// Nothing that uses the set may be in flight.
void descriptors_destroy(struct gpu *gpu, struct descriptors *descriptors);

// What the table has for a binding of a shader. The table may leave out a number that the shader
// does not access. Vulkan still wants a buffer there: it is the first suitable one of the table.
const struct binding *
descriptors_find(const struct shader_binding *own, const struct binding table[BINDINGS]);

// Whether the table has something of its own for the binding.
bool descriptors_has(const struct shader_binding *own, const struct binding table[BINDINGS]);

// Whether the table's buffers and images are bound already.
bool descriptors_hold(const struct descriptors *descriptors, const struct binding table[BINDINGS]);

// Binds what the table has, where something else is bound. Nothing that uses the set may be in
// flight if something changes.
void descriptors_bind(
    struct gpu *gpu, struct descriptors *descriptors, const struct binding table[BINDINGS]);

// Records that the set and these push constants are used. `push` has push_size bytes.
void descriptors_use(
    const struct descriptors *descriptors, VkCommandBuffer cmd, VkPipelineBindPoint point,
    const void *push);
