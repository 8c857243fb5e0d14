#include "app/base/pipeline_cache.h"

#include "app/base/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pipeline_cache_head
pipeline_cache_head_of(const struct gpu *gpu, const uint8_t *bytes, size_t size)
{
    struct pipeline_cache_head head = {
        .driver_version = gpu->properties.driverVersion,
        .size = size,
        .checksum = 0xcbf29ce484222325, // FNV-1a
    };
    snprintf(head.program, sizeof head.program, "cubist %s pipelines", CUBIST_VERSION);
    memcpy(head.device, gpu->device_uuid, sizeof head.device);
    memcpy(head.driver, gpu->driver_uuid, sizeof head.driver);
    for (size_t i = 0; i < size; i++) {
        head.checksum = (head.checksum ^ bytes[i]) * 0x100000001b3;
    }
    return head;
}

char *pipeline_cache_path(const struct gpu *gpu)
{
    char driver[CACHE_UUID], name[sizeof "pipelines-" + CACHE_UUID];
    cache_uuid(gpu->driver_uuid, driver);
    snprintf(name, sizeof name, "pipelines-%s", driver);
    return cache_path(gpu, name, "bin");
}

// All bytes of the file; malloc'ed, NULL where it cannot be read.
static uint8_t *pipeline_cache_read(const char *path, size_t *size)
{
    off_t bytes;
    const char *why;
    FILE *file = cache_open(
        path, (off_t)(sizeof(struct pipeline_cache_head) + PIPELINE_CACHE_LARGEST), &bytes, &why);
    if (!file) {
        return NULL;
    }
    *size = (size_t)bytes;
    uint8_t *out = malloc(*size + 1);
    if (out && fread(out, 1, *size + 1, file) != *size) {
        free(out);
        out = NULL;
    }
    fclose(file);
    return out;
}

// Whether bytes begin as those of this device and driver do, and hold more than that.
static bool pipeline_cache_fits(const struct gpu *gpu, const void *bytes, size_t size)
{
    const VkPhysicalDeviceProperties *is = &gpu->properties;
    VkPipelineCacheHeaderVersionOne head;
    if (size <= sizeof head) {
        return false;
    }
    memcpy(&head, bytes, sizeof head);
    return head.headerSize == sizeof head &&
           head.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           head.vendorID == is->vendorID && head.deviceID == is->deviceID &&
           memcmp(head.pipelineCacheUUID, is->pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

// From now on pipelines are made from these bytes where possible, and what is compiled is kept.
// Size 0, or bytes that the driver refuses: from nothing. Without memory nothing is kept.
static void pipeline_cache_begin(struct gpu *gpu, const void *bytes, size_t size)
{
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = size,
        .pInitialData = bytes,
    };
    gpu->pipelines_loaded = size;
    if (vkCreatePipelineCache(gpu->device, &info, NULL, &gpu->pipelines) != VK_SUCCESS) {
        gpu->pipelines = VK_NULL_HANDLE;
        if (size > 0) {
            pipeline_cache_begin(gpu, NULL, 0);
        }
    }
}

// Copies what is kept by now: at most *size bytes, and sets their number. Bytes NULL: sets the
// number only. False where nothing is kept, or the device is lost.
static bool pipeline_cache_bytes(struct gpu *gpu, void *bytes, size_t *size)
{
    return gpu->pipelines && !gpu->lost &&
           vkGetPipelineCacheData(gpu->device, gpu->pipelines, size, bytes) == VK_SUCCESS;
}

void pipeline_cache_load(struct gpu *gpu)
{
    const size_t own = sizeof(struct pipeline_cache_head);
    size_t size = 0;
    char *path = pipeline_cache_path(gpu);
    uint8_t *file = path ? pipeline_cache_read(path, &size) : NULL;
    bool fine = file && size > own;
    if (fine) {
        const struct pipeline_cache_head head = pipeline_cache_head_of(gpu, file + own, size - own);
        fine = memcmp(file, &head, own) == 0 && pipeline_cache_fits(gpu, file + own, size - own);
    }
    pipeline_cache_begin(gpu, fine ? file + own : NULL, fine ? size - own : 0);
    free(file);
    free(path);
}

void pipeline_cache_save(struct gpu *gpu)
{
    const size_t own = sizeof(struct pipeline_cache_head);
    size_t size = 0;
    if (interrupted || !pipeline_cache_bytes(gpu, NULL, &size) || size <= gpu->pipelines_loaded) {
        return;
    }
    char *path = pipeline_cache_path(gpu);
    if (path && size > PIPELINE_CACHE_LARGEST) {
        unlink(path);
    }
    uint8_t *file = path && size <= PIPELINE_CACHE_LARGEST ? malloc(own + size) : NULL;
    if (file && pipeline_cache_bytes(gpu, file + own, &size) &&
        pipeline_cache_fits(gpu, file + own, size)) {
        const struct pipeline_cache_head head = pipeline_cache_head_of(gpu, file + own, size);
        memcpy(file, &head, own);
        cache_write(path, file, own + size, NULL);
    }
    free(file);
    free(path);
}
