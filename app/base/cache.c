#include "app/base/cache.h"

#include "volumes/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
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
    // A relative path counts as none, as the XDG standard requires.
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool own = cache && *cache == '/';
    char uuid[CACHE_UUID], *path = NULL;
    if (!own && !(home && *home == '/')) {
        return NULL;
    }
    cache_uuid(gpu->device_uuid, uuid);
    const int length = asprintf(
        &path, "%s%s/cubist/%s-%s.%s", own ? cache : home, own ? "" : "/.cache", name, uuid,
        extension);
    return length < 0 ? NULL : path;
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

static bool cache_make_folder(const char *folder, struct problem *problem)
{
    return mkdir(folder, 0700) == 0 || errno == EEXIST ||
           problem_set(problem, PROBLEM_OUTPUT, "%s cannot be made: %s", folder, strerror(errno));
}

// The folder of a file in the cache, and the one around it.
static bool cache_make_folders(const char *path, struct problem *problem)
{
    char *own = strdup(path), *around = strdup(path);
    const bool fine = own && around ? cache_make_folder(dirname(dirname(around)), problem) &&
                                          cache_make_folder(dirname(own), problem)
                                    : problem_set(problem, PROBLEM_OUTPUT, "out of memory");
    free(own);
    free(around);
    return fine;
}

bool cache_write(const char *path, const void *bytes, size_t size, struct problem *problem)
{
    struct output output;
    if (!cache_make_folders(path, problem) || !output_open(path, &output, problem)) {
        return false;
    }
    if (!output_write(&output, bytes, size, problem)) {
        output_abort(&output);
        return false;
    }
    return output_commit(&output, problem);
}
