// What the device's memory was for when most of it was held, for reports.
#pragma once

#include "app/base/json.h"
#include "compute/gpu/gpu.h"

// "device_memory" of the object that is open: bytes by purpose; they add up to "device_bytes".
void device_memory_json(const struct gpu *gpu, json_t *json);
// "12.3 MiB: 4.0 samples, 3.1 surface, ...", without what is nothing.
#define DEVICE_MEMORY_TEXT 300
const char *device_memory_text(const struct gpu *gpu, char text[DEVICE_MEMORY_TEXT]);
