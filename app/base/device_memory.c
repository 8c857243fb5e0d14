#include "app/base/device_memory.h"

#include <stdio.h>

void device_memory_json(const struct gpu *gpu, json_t *json)
{
    json_t *object = json_add_object(json, "device_memory");
    for (int i = 0; i < PURPOSES; i++) {
        json_add_count(object, purpose_name((enum purpose)i), gpu->budget.peak_held[i]);
    }
}

const char *device_memory_text(const struct gpu *gpu, char text[DEVICE_MEMORY_TEXT])
{
    int length = snprintf(text, DEVICE_MEMORY_TEXT, "%.1f MiB", (double)gpu->budget.peak / 0x1p20);
    const char *before = ": ";
    for (int i = 0; i < PURPOSES; i++) {
        if (gpu->budget.peak_held[i] > 0) {
            length += snprintf(
                text + length, (size_t)(DEVICE_MEMORY_TEXT - length), "%s%.1f %s", before,
                (double)gpu->budget.peak_held[i] / 0x1p20, purpose_name((enum purpose)i));
            before = ", ";
        }
    }
    return text;
}
