#include "app/base/cache.h"

#include "app/base/user_folder.h"
#include "volumes/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void cache_uuid(const uint8_t uuid[VK_UUID_SIZE], char out[CACHE_UUID])
{
    for (uint32_t i = 0; i < VK_UUID_SIZE; i++) {
        snprintf(out + 2 * i, 3, "%02x", uuid[i]);
    }
}

char *cache_path(const struct gpu *gpu, const char *name, const char *extension)
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

FILE *cache_open(const char *path, off_t largest, off_t *size, const char **why)
{
    *why = NULL;
    struct stat stat_of;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // a pipe is not waited for
    if (fd < 0 || fstat(fd, &stat_of) != 0) {
        *why = errno == ENOENT || errno == ENOTDIR ? NULL : strerror(errno);
        goto fail;
    }
    if (!S_ISREG(stat_of.st_mode) || stat_of.st_size > largest) {
        *why = "cubist did not write this file";
        goto fail;
    }
    *size = stat_of.st_size;
    FILE *file = fdopen(fd, "rb");
    if (file) {
        return file;
    }
    *why = strerror(errno);
fail:
    if (fd >= 0) {
        close(fd);
    }
    return NULL;
}

bool cache_write(char *path, const void *bytes, size_t size, struct problem *problem)
{
    struct output output;
    if (!user_folder_make(path, problem) || !output_open_again(path, true, &output, problem)) {
        return false;
    }
    if (!output_write(&output, bytes, size, problem)) {
        output_abort(&output);
        return false;
    }
    return output_commit(&output, problem);
}
