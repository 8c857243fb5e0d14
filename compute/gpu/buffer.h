// A buffer with its own memory.
#pragma once

#include "compute/gpu/gpu.h"

enum buffer_memory {
    BUFFER_DEVICE,   // device-local
    BUFFER_UPLOAD,   // host writes, mapped and coherent
    BUFFER_READBACK, // host reads, mapped and coherent, cached where the device has it
};

#define BUFFER_VIEWS 4
// Bytes of a slot: a range of a buffer that is bound, and protected by barriers, separately. No
// device requires a larger alignment.
#define BUFFER_SLOT 256

struct buffer_params {
    const char *name; // debug name, also used in messages; must outlive the buffer
    uint64_t size;    // bytes; rounded up to a multiple of 16, at least 16
    enum buffer_memory memory;
    enum purpose purpose;
    VkFormat texels[BUFFER_VIEWS]; // formats in which kernels read it as texels; 0 ends the list
    // Kernels only read it as texels, and in each format no further than a texel buffer reaches. So
    // the limits of storage buffers and texel buffers do not bound the size.
    bool samples;
    // Kernels read it as texels if one texel buffer can hold all of it, otherwise as a storage
    // buffer. The caller asks buffer_all_texels and tells its kernels. So maxTexelBufferElements
    // does not limit the size.
    bool maybe_texels;
    bool slots;      // its slots of BUFFER_SLOT bytes are used separately
    uint32_t vertex; // bytes per vertex if it is drawn; otherwise 0
};

// Every buffer may be used as storage, uniform, texel, vertex, index, indirect and transfer buffer.
struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkBufferView views[BUFFER_VIEWS]; // in the order of the formats
    uint64_t size;                    // usable bytes
    uint64_t held;                    // bytes of the allocation
    enum purpose purpose;
    void *mapped; // NULL for BUFFER_DEVICE
    const char *name;
    uint64_t serial; // unique among all buffers that this gpu has ever had; not 0
    bool slots;
};

// PROBLEM_DEVICE_MEMORY when memory is short; PROBLEM_LIMIT when the size exceeds a limit of the
// device. The message names the needed bytes, and the free or the allowed bytes. On false `out` is
// empty.
bool buffer_create(
    struct gpu *gpu, const struct buffer_params *params, struct buffer *out,
    struct problem *problem);
void buffer_destroy(struct gpu *gpu, struct buffer *buffer);

// Creates `count` buffers, all for the given purpose. On false some may have been created.
bool buffers_create(
    struct gpu *gpu, const struct buffer_params *params, uint32_t count, enum purpose purpose,
    struct buffer *out, struct problem *problem);
void buffers_destroy(struct gpu *gpu, struct buffer *buffers, uint32_t count);
uint64_t buffers_bytes(const struct gpu *gpu, const struct buffer_params *params, uint32_t count);

// The size that buffer_create gives a buffer: a multiple of 16, so whole texels of every format.
uint64_t buffer_rounded(uint64_t size);
// The most bytes that the device's limits allow in such a buffer. Ignores params->size.
uint64_t buffer_most(const struct gpu *gpu, const struct buffer_params *params);
// Whether one texel buffer of the first format can hold the whole buffer.
bool buffer_all_texels(const struct gpu *gpu, const struct buffer_params *params);
// Device memory that such a buffer takes; GPU_TOO_MUCH if a limit of the device is exceeded.
uint64_t buffer_bytes(const struct gpu *gpu, const struct buffer_params *params);

// Identifies the resource that starts at `offset`. Unique among all buffers of this gpu; not 0.
static inline uint64_t buffer_place(const struct buffer *buffer, uint64_t offset)
{
    return buffer->serial << 40 | offset;
}
