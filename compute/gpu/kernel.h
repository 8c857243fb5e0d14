// A compute kernel: its shader, its push struct, and its ports: the buffers that it reads and
// writes.
#pragma once

#include "compute/gpu/gpu.h"

#include <stddef.h>

// How a pass touches a buffer. Kernels may only use the first three.
enum access {
    ACCESS_READ,       // shader reads (storage, texel)
    ACCESS_WRITE,      // shader writes
    ACCESS_READ_WRITE, // both, atomics too
    ACCESS_INDIRECT,   // dispatch or draw arguments
    ACCESS_COPY_FROM,  // transfer source
    ACCESS_COPY_TO,    // transfer target, fills
    ACCESS_DRAW,       // vertex shader and index reads
    ACCESS_HOST,       // the host reads after the fence
    ACCESSES,
};

// A buffer address in the push struct, and how the kernel accesses the buffer.
struct kernel_port {
    const char *name;
    uint32_t offset; // of the VkDeviceAddress in the push struct
    enum access access;
};

// PORT(struct classify_push, row_masks, ACCESS_WRITE)
#define PORT(type, field, how)                                                                     \
    {                                                                                              \
#field, offsetof(type, field), how                                                         \
    }

#define KERNEL_PORTS     16
#define KERNEL_CONSTANTS 16

// Describes a kernel; constant data, one per kernel. Kernels have GROUP lanes
// (shaders/shared/glue.h), which is a multiple of every subgroup size, and run with full subgroups.
struct kernel_info {
    const char *name;
    const uint32_t *code;                   // SPIR-V
    uint32_t code_size;                     // bytes
    uint32_t push_size;                     // bytes, at most 128
    struct kernel_port ports[KERNEL_PORTS]; // a NULL name ends the list early
};

struct kernel {
    const struct kernel_info *info;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    bool has_set; // its layout includes the run's descriptor set
};

struct kernel_params {
    const uint32_t *constants; // values of the specialization constants 0, 1, ...
    uint32_t constant_count;
    VkDescriptorSetLayout set_layout; // of set 0; may be VK_NULL_HANDLE
    uint32_t subgroup_size;           // a size that the device offers; 0: the device decides
};

bool kernel_create(
    struct gpu *gpu, const struct kernel_info *info, const struct kernel_params *params,
    struct kernel *out, struct problem *problem);
void kernel_destroy(struct gpu *gpu, struct kernel *kernel);
