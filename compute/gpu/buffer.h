// A buffer with its own memory, used by address.
#pragma once

#include "compute/gpu/gpu.h"

enum buffer_memory {
    BUFFER_DEVICE,   // device-local
    BUFFER_UPLOAD,   // host writes, mapped and coherent
    BUFFER_READBACK, // host reads, mapped and coherent, cached where the device has it
};

struct buffer_params {
    const char *name; // debug name, also used in messages; must outlive the buffer
    uint64_t size;    // bytes; rounded up to a multiple of 16, at least 16
    enum buffer_memory memory;
    enum purpose purpose;
};

// Every buffer may be used as storage, texel, vertex, index, indirect and transfer buffer.
struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    uint64_t size; // usable bytes
    uint64_t held; // bytes of the allocation
    enum purpose purpose;
    void *mapped; // NULL for BUFFER_DEVICE
    const char *name;
    uint64_t serial; // unique among all buffers that this gpu has ever had
};

// PROBLEM_DEVICE_MEMORY when memory is short; PROBLEM_LIMIT when the size exceeds one buffer or one
// allocation. The message names the needed bytes, and the free or the possible ones. On false `out`
// is empty.
bool buffer_create(
    struct gpu *gpu, const struct buffer_params *params, struct buffer *out,
    struct problem *problem);
void buffer_destroy(struct gpu *gpu, struct buffer *buffer);

// The size that buffer_create gives it: at least 16 bytes, and whole texels of every format.
uint64_t buffer_rounded(uint64_t size);
// Device memory that a buffer of this size takes; GPU_TOO_MUCH where there is no such buffer.
uint64_t buffer_bytes(const struct gpu *gpu, uint64_t size);
