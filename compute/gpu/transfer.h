// Copies bytes between host memory and buffers of the device.
#pragma once

#include "compute/gpu/buffer.h"

// Bytes of device memory of the staging buffer for a transfer of `size` bytes.
uint64_t transfer_staging_bytes(const struct gpu *gpu, uint64_t size);

// Copies through a staging buffer of bounded size, and waits. Offsets are in bytes.
bool transfer_upload(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, const void *data, uint64_t size,
    struct problem *problem);
// Reads from `offset` on, in blocks. `visit` gets `count` whole elements of `stride` bytes,
// beginning with element number `first`. The elements are valid until `visit` returns.
bool transfer_read(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, uint64_t count, uint32_t stride,
    void (*visit)(void *user, uint64_t first, uint64_t count, const void *elements), void *user,
    struct problem *problem);
bool transfer_download(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, void *data, uint64_t size,
    struct problem *problem);
