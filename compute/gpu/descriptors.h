// A descriptor set for the bindings of some shaders, with the layout of their pipelines. Both
// follow from the bindings that shaders/reflect.c finds in the shaders.
#pragma once

#include "compute/gpu/buffer.h"
#include "compute/gpu/image.h"
#include "shaders/shader.h"
#include "shaders/shared/bindings.h"

#define DESCRIPTORS_MOST 24 // bindings of a set, at most

// What a shader finds at one binding number of shaders/shared/bindings.h: a buffer, one slot of a
// buffer with slots, or an image. All zero: nothing. A table with an entry for each of the BINDINGS
// numbers is bound before a shader runs.
struct binding {
    const struct buffer *buffer;
    uint32_t slot;
    uint32_t view; // index of the buffer's texel view; for an image, 1 is its view `bytes`
    const struct image *image;
    VkSampler sampler; // only for SHADER_SAMPLED
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
    struct shader_binding bindings[DESCRIPTORS_MOST]; // the bindings of all shaders
    uint64_t bound[DESCRIPTORS_MOST];                 // number of the bound resource; 0: nothing
};

// `count`: 1 for a compute shader, 2 for a vertex and a fragment shader. `name` labels the objects
// for tools. On false `out` is empty.
bool descriptors_create(
    struct gpu *gpu, const struct shader *const shaders[], uint32_t count, const char *name,
    struct descriptors *out, struct problem *problem);

// Nothing that uses the set may be in flight.
void descriptors_destroy(struct gpu *gpu, struct descriptors *descriptors);

// The table's entry for a binding of a shader. The table may lack an entry that the shader does not
// access. Vulkan still requires a buffer there: this returns a suitable one of the table. Where the
// shader might write, that is a buffer that it writes, if there is one.
const struct binding *descriptors_find(
    const struct descriptors *descriptors, const struct shader_binding *own,
    const struct binding table[BINDINGS]);

// Whether the table itself has an entry for the binding.
bool descriptors_has(const struct shader_binding *own, const struct binding table[BINDINGS]);

// Whether the table's buffers and images are bound already.
bool descriptors_hold(const struct descriptors *descriptors, const struct binding table[BINDINGS]);

// Binds the table's entries that are not bound yet. If a binding changes, nothing that uses the set
// may be in flight.
void descriptors_bind(
    struct gpu *gpu, struct descriptors *descriptors, const struct binding table[BINDINGS]);

// Records the commands that bind the set and set the push constants. `push` has push_size bytes.
void descriptors_use(
    const struct descriptors *descriptors, VkCommandBuffer cmd, VkPipelineBindPoint point,
    const void *push);
