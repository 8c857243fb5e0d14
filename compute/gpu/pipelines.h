// What the driver has compiled so far, as bytes that a later run may hand to the same driver: a
// VkPipelineCache. The driver trusts them: the caller makes sure that they are as they were.
#pragma once

#include "compute/gpu/gpu.h"

// Whether bytes begin as those of this device and driver do, and hold more than that.
bool pipelines_fit(const struct gpu *gpu, const void *bytes, size_t size);

// From now on pipelines are made from these bytes where possible, and what is compiled is kept.
// Size 0, or bytes that the driver refuses: from nothing. Once per gpu; without memory nothing is
// kept.
void pipelines_begin(struct gpu *gpu, const void *bytes, size_t size);

// Copies what is kept by now: at most *size bytes, and sets their number. Bytes NULL: sets the
// number only. False where nothing is kept, or the device is lost.
bool pipelines_bytes(struct gpu *gpu, void *bytes, size_t *size);
