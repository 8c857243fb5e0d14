// A buffer with its own memory.
#pragma once

#include "compute/gpu/gpu.h"

enum buffer_memory {
    BUFFER_DEVICE,   // device-local
    BUFFER_UPLOAD,   // host writes, mapped and coherent
    BUFFER_READBACK, // host reads, mapped and coherent, cached where the device has it
};

#define BUFFER_VIEWS 4
// Parts of a buffer can be bound, and followed by barriers, separately if they start at multiples
// of this. No device asks for a larger alignment.
#define BUFFER_SLOT 256

struct buffer_params {
    const char *name; // debug name, also used in messages; must outlive the buffer
    uint64_t size;    // bytes; rounded up to a multiple of 16, at least 16
    enum buffer_memory memory;
    enum purpose purpose;
    VkFormat texels[BUFFER_VIEWS]; // formats that kernels read it in; 0 ends the list early
    // Kernels only read it as texels, and in each format only as far as a texel buffer reaches. So
    // the size is not limited by what a storage buffer or a texel buffer can hold.
    bool samples;
    // Kernels read it as texels if one texel buffer can hold all of it, else as a storage buffer.
    // The caller asks buffer_all_texels and tells its kernels. So maxTexelBufferElements does not
    // limit the size.
    bool maybe_texels;
    bool slots;      // its slots of BUFFER_SLOT bytes are used separately
    uint32_t vertex; // not 0: it is drawn, with vertices of so many bytes
};

// Every buffer may be used as storage, uniform, texel, vertex, index, indirect and transfer buffer.
struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkBufferView views[BUFFER_VIEWS]; // by the order of the formats
    uint64_t size;                    // usable bytes
    uint64_t held;                    // bytes of the allocation
    enum purpose purpose;
    void *mapped; // NULL for BUFFER_DEVICE
    const char *name;
    uint64_t serial; // unique among all buffers that this gpu has ever had; not 0
    bool slots;
};

// PROBLEM_DEVICE_MEMORY when memory is short; PROBLEM_LIMIT when the size exceeds a limit of the
// device. The message names the needed bytes, and the free or the possible ones. On false `out` is
// empty.
bool buffer_create(
    struct gpu *gpu, const struct buffer_params *params, struct buffer *out,
    struct problem *problem);
void buffer_destroy(struct gpu *gpu, struct buffer *buffer);

// The same for `count` buffers, all of this purpose. On false some may be made.
bool buffers_create(
    struct gpu *gpu, const struct buffer_params *params, uint32_t count, enum purpose purpose,
    struct buffer *out, struct problem *problem);
void buffers_destroy(struct gpu *gpu, struct buffer *buffers, uint32_t count);
uint64_t buffers_bytes(const struct gpu *gpu, const struct buffer_params *params, uint32_t count);

// The size that buffer_create gives it: at least 16 bytes, and whole texels of every format.
uint64_t buffer_rounded(uint64_t size);
// The most bytes that the device's limits allow in such a buffer, whatever its size says.
uint64_t buffer_most(const struct gpu *gpu, const struct buffer_params *params);
// Whether one texel buffer of its first format can hold all of it.
bool buffer_all_texels(const struct gpu *gpu, const struct buffer_params *params);
// Device memory that such a buffer takes; GPU_TOO_MUCH if a limit of the device is exceeded.
uint64_t buffer_bytes(const struct gpu *gpu, const struct buffer_params *params);

// Identifies the resource that starts at `offset`. Unique among all buffers of this gpu; not 0.
static inline uint64_t buffer_place(const struct buffer *buffer, uint64_t offset)
{
    return buffer->serial << 40 | offset;
}
