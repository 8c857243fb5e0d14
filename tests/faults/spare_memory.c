// A library to preload: a limit on the size of files spares files in memory (memfd).
//
// llvmpipe keeps device memory in such a file (Mesa 25). It does not look whether the file could
// grow, and an access behind the end of the file is SIGBUS. The program can neither foresee nor
// survive that, so a test that limits files must spare this one. The hard limit must be higher than
// the soft one: it takes the soft one's place while the file grows.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static bool is_in_memory(int fd)
{
    char link[64], target[16] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return readlink(link, target, sizeof target - 1) > 0 && strncmp(target, "/memfd:", 7) == 0;
}

int ftruncate64(int fd, off64_t size)
{
    int (*real)(int, off64_t);
    *(void **)&real = dlsym(RTLD_NEXT, "ftruncate64");
    struct rlimit limit;
    if (!is_in_memory(fd) || getrlimit(RLIMIT_FSIZE, &limit) != 0) {
        return real(fd, size);
    }
    const struct rlimit lifted = { limit.rlim_max, limit.rlim_max };
    setrlimit(RLIMIT_FSIZE, &lifted);
    const int result = real(fd, size);
    setrlimit(RLIMIT_FSIZE, &limit);
    return result;
}

int ftruncate(int fd, off_t size)
{
    return ftruncate64(fd, size);
}
