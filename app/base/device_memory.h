// What the device's memory was used for at its peak, for reports.
#pragma once

#include "app/base/json.h"
#include "compute/gpu/gpu.h"

// The member "device_memory" of the open object: bytes by purpose. They add up to "device_bytes".
void device_memory_json(const struct gpu *gpu, json_t *json);
// "12.3 MiB: 4.0 samples, 3.1 surface, ...", without purposes that used nothing.
#define DEVICE_MEMORY_TEXT 300
const char *device_memory_text(const struct gpu *gpu, char text[DEVICE_MEMORY_TEXT]);
