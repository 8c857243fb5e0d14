#include "app/base/pipeline_cache.h"

#include "app/base/cache.h"
#include "compute/gpu/pipelines.h"

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
    FILE *file =
        cache_open(path, (off_t)(sizeof(struct pipeline_cache_head) + PIPELINE_CACHE_LARGEST), &bytes, &why);
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

void pipeline_cache_load(struct gpu *gpu)
{
    const size_t own = sizeof(struct pipeline_cache_head);
    size_t size = 0;
    char *path = pipeline_cache_path(gpu);
    uint8_t *file = path ? pipeline_cache_read(path, &size) : NULL;
    bool fine = file && size > own;
    if (fine) {
        const struct pipeline_cache_head head = pipeline_cache_head_of(gpu, file + own, size - own);
        fine = memcmp(file, &head, own) == 0 && pipelines_fit(gpu, file + own, size - own);
    }
    pipelines_begin(gpu, fine ? file + own : NULL, fine ? size - own : 0);
    free(file);
    free(path);
}

void pipeline_cache_save(struct gpu *gpu)
{
    const size_t own = sizeof(struct pipeline_cache_head);
    size_t size = 0;
    if (interrupted || !pipelines_bytes(gpu, NULL, &size) || size <= gpu->pipelines_loaded) {
        return;
    }
    char *path = pipeline_cache_path(gpu);
    if (path && size > PIPELINE_CACHE_LARGEST) {
        unlink(path);
    }
    uint8_t *file = path && size <= PIPELINE_CACHE_LARGEST ? malloc(own + size) : NULL;
    if (file && pipelines_bytes(gpu, file + own, &size) && pipelines_fit(gpu, file + own, size)) {
        const struct pipeline_cache_head head = pipeline_cache_head_of(gpu, file + own, size);
        memcpy(file, &head, own);
        cache_write(path, file, own + size, NULL);
    }
    free(file);
    free(path);
}
