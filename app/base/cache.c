#include "app/base/cache.h"

#include "app/base/json.h"
#include "app/base/user_folder.h"
#include "volumes/base/log.h"
#include "volumes/formats/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE_UUID (2 * VK_UUID_SIZE + 1) // bytes of a UUID as text

static void cache_uuid(const uint8_t uuid[VK_UUID_SIZE], char out[CACHE_UUID])
{
    for (uint32_t i = 0; i < VK_UUID_SIZE; i++) {
        snprintf(out + 2 * i, 3, "%02x", uuid[i]);
    }
}

// The path of the device's file: NAME-UUID.EXTENSION, with the UUID of the device. Malloc'ed; NULL
// where the user has no folder for caches, or there is no memory.
static char *cache_path(const struct gpu *gpu, const char *name, const char *extension)
{
    char uuid[CACHE_UUID], *file = NULL;
    cache_uuid(gpu->device_uuid, uuid);
    if (asprintf(&file, "%s-%s.%s", name, uuid, extension) < 0) {
        return NULL;
    }
    char *path = user_folder_path("XDG_CACHE_HOME", ".cache", file);
    free(file);
    return path;
}

// Reads a whole file of at most `largest` bytes; malloc'ed. On failure returns NULL and sets *why
// to the reason; where there is no file, *why is NULL.
static void *cache_read(const char *path, size_t largest, size_t *size, const char **why)
{
    struct stat there;
    unsigned char *bytes = NULL;
    int error;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // does not wait for a pipe
    *why = NULL;
    if (fd < 0 || fstat(fd, &there) != 0) {
        *why = errno == ENOENT || errno == ENOTDIR ? NULL : strerror(errno);
    } else if (!S_ISREG(there.st_mode) || (uint64_t)there.st_size > largest) {
        *why = "cubist did not write this file";
    } else if (!(bytes = malloc((size_t)there.st_size + 1))) {
        *why = strerror(errno);
    } else {
        *size = source_read_at(fd, 0, bytes, (size_t)there.st_size + 1, &error);
        *why = error || *size != (size_t)there.st_size ? "it is damaged" : NULL;
    }
    if (fd >= 0) {
        close(fd);
    }
    if (*why) {
        free(bytes);
    }
    return *why ? NULL : bytes;
}

// ---- what the driver has compiled ----

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

// Whether `bytes` begins with the cache header of this device and driver, and has data after it.
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

// Creates the driver's cache, gpu->pipelines, from these bytes. If the size is 0, or the driver
// refuses the bytes, the cache begins empty. Without memory there is no cache.
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

// Copies at most *size bytes of the driver's cache, and sets *size to their number. `bytes` NULL:
// only sets *size. False where there is no cache, or the device is lost.
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
    const char *why;
    uint8_t *file = path ? cache_read(path, own + PIPELINE_CACHE_LARGEST, &size, &why) : NULL;
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
        user_folder_write(path, file, own + size, NULL);
    }
    free(file);
    free(path);
}

// ---- measured times ----

static const json_int_t TIMES_SCHEMA = 1;
static const size_t TIMES_LARGEST = 4 << 20; // bytes; cubist writes no larger file
enum { POINTS = TIMES_LANES * TIMES_SIZES * TIMES_DENSITIES * TIMES_PATTERNS };

// What the measured times depend on, as text.
struct origin {
    char uuid[CACHE_UUID], driver[300], kernels[20];
};

static void times_cache_origin_of(const struct gpu *gpu, struct origin *out)
{
    cache_uuid(gpu->device_uuid, out->uuid);
    snprintf(
        out->driver, sizeof out->driver, "%s (%u)", gpu->driver, gpu->properties.driverVersion);
    snprintf(out->kernels, sizeof out->kernels, "%016" PRIx64, times_kernels());
}

// Reads the times into `out` and returns NULL, or returns why they cannot be used.
static const char *
times_cache_read_times(const json_t *json, const struct origin *origin, struct times *out)
{
    if (json_integer_value(json_object_get(json, "schema")) != TIMES_SCHEMA) {
        return "it is not in this cubist's format";
    }
    const struct {
        const char *key, *expected, *why;
    } wants[] = {
        { "program", CUBIST_VERSION, "it was measured by another version of cubist" },
        { "uuid", origin->uuid, "it was measured on another device" },
        { "driver", origin->driver, "it was measured with another driver" },
        { "kernels", origin->kernels, "it was measured with other kernels" },
    };
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        const char *found = json_string_value(json_object_get(json, wants[i].key));
        if (!found || strcmp(found, wants[i].expected) != 0) {
            return wants[i].why;
        }
    }
    const json_t *rows = json_object_get(json, "ms");
    bool any = false;
    for (uint32_t row = 0; row < method_count(); row++) {
        const json_t *points = json_object_get(rows, method_at(row)->name);
        if (!points) {
            continue; // the method cannot run here
        }
        if (json_array_size(points) != POINTS) {
            return "its number of times is wrong";
        }
        float *to = &out->ms[row][0][0][0][0];
        for (size_t i = 0; i < POINTS; i++) {
            const json_t *point = json_array_get(points, i);
            const double ms = json_number_value(point);
            if (!json_is_number(point) || !(ms >= 0 && ms < 1e9)) {
                return "it has a value that is not a time";
            }
            to[i] = (float)ms;
            any |= ms > 0;
        }
    }
    return any ? NULL : "there are no times in it";
}

bool times_cache_load(const struct gpu *gpu, struct times *out)
{
    *out = (struct times){ 0 };
    struct origin origin;
    times_cache_origin_of(gpu, &origin);
    char *path = cache_path(gpu, "methods", "json");
    const char *why = NULL;
    size_t size;
    void *text = path ? cache_read(path, TIMES_LARGEST, &size, &why) : NULL;
    json_t *json = text ? json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (text) {
        why = json ? times_cache_read_times(json, &origin, out) : "it is damaged";
    }
    if (why) {
        log_note("%s is not used: %s; cubist bench calibrate measures the methods anew", path, why);
        *out = (struct times){ 0 };
    }
    free(text);
    json_decref(json);
    free(path);
    return json && !why;
}

static json_t *
times_cache_json_of(const struct gpu *gpu, const struct origin *origin, const struct times *times)
{
    json_t *json = json_begin();
    json_add_integer(json, "schema", TIMES_SCHEMA);
    json_add_text(json, "program", CUBIST_VERSION);
    json_add_text(json, "device", gpu->properties.deviceName);
    json_add_text(json, "uuid", origin->uuid);
    json_add_text(json, "driver", origin->driver);
    json_add_text(json, "kernels", origin->kernels);
    json_t *rows = json_add_object(json, "ms");
    for (uint32_t row = 0; row < method_count(); row++) {
        const float *from = &times->ms[row][0][0][0][0];
        double points[POINTS];
        bool any = false;
        for (size_t i = 0; i < POINTS; i++) {
            points[i] = round(from[i] * 1e6) / 1e6; // to the nanosecond
            any |= from[i] > 0;
        }
        if (any) {
            json_add_numbers(rows, method_at(row)->name, points, POINTS);
        }
    }
    return json;
}

char *times_cache_save(const struct gpu *gpu, const struct times *times)
{
    struct origin origin;
    times_cache_origin_of(gpu, &origin);
    struct problem problem = { .text = "neither XDG_CACHE_HOME nor HOME names a folder" };
    char *path = cache_path(gpu, "methods", "json");
    size_t size;
    char *text =
        path ? json_text(times_cache_json_of(gpu, &origin, times), true, &size, &problem) : NULL;
    const bool fine = text && user_folder_write(path, text, size, &problem);
    free(text);
    if (!fine) {
        log_note("the times could not be saved: %s", problem.text);
        free(path);
        path = NULL;
    }
    return path;
}
