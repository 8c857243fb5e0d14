// Names of objects, and labels in command buffers. Validation messages and capture tools show them.
// Where no such tool is active, nothing is called.
#pragma once

#include "compute/gpu/gpu.h"

// `handle` is any Vulkan handle of that type. The name is copied.
void label_object(const struct gpu *gpu, VkObjectType type, const void *handle, const char *name);

// Commands recorded between label_begin and label_end belong to the label. Labels nest.
void label_begin(const struct gpu *gpu, VkCommandBuffer cmd, const char *name);
void label_end(const struct gpu *gpu, VkCommandBuffer cmd);
