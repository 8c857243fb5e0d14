// Copies bytes between host memory and buffers of the device.
#pragma once

#include "compute/gpu/buffer.h"

// Bytes of device memory of the staging buffer for a transfer of `size` bytes.
uint64_t transfer_staging_bytes(const struct gpu *gpu, uint64_t size);

// Copies through a staging buffer of bounded size, and waits. Offsets are in bytes.
bool transfer_upload(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, const void *data, uint64_t size,
    struct problem *problem);
// `count` elements of `stride` bytes, from a buffer's byte `offset` on. `visit` gets blocks of
// whole elements, one after the other: `count` of them from number `first` on, valid until it
// returns. If `visit` is NULL, all elements are copied to `user`.
struct transfer_list {
    const struct buffer *buffer;
    uint64_t offset, count;
    uint32_t stride;
    void (*visit)(void *user, uint64_t first, uint64_t count, const void *elements);
    void *user;
};

// Reads lists one after the other; a submission copies parts of as many of them as fit. A list
// without elements needs no buffer.
bool transfer_read(
    struct gpu *gpu, const struct transfer_list *lists, uint32_t count, struct problem *problem);
bool transfer_download(
    struct gpu *gpu, const struct buffer *buffer, uint64_t offset, void *data, uint64_t size,
    struct problem *problem);
