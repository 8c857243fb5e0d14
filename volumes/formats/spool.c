#include "volumes/formats/spool.h"

#include "volumes/base/apart.h"
#include "volumes/base/input.h"
#include "volumes/base/output.h"
#include "volumes/base/size.h"
#include "volumes/formats/source.h"

#include <errno.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

// Half of the free bytes of the disk with the file; of memory, if the disk is in memory.
static uint64_t spool_room(int fd)
{
    struct statfs disk;
    if (fstatfs(fd, &disk) != 0) {
        return UINT64_MAX;
    }
    const uint64_t free = (uint64_t)disk.f_bavail * (uint64_t)disk.f_bsize;
    const uint64_t memory = disk.f_type == TMPFS_MAGIC ? size_memory_free() : UINT64_MAX;
    return (free < memory ? free : memory) / 2;
}

// Waits only briefly each time: a pipe may stay silent, and a signal may go to another thread.
static bool spool_copy(int fd, uint64_t most, struct problem *problem)
{
    char bytes[1 << 16];
    for (uint64_t size = 0;;) {
        struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
        if (!input_go_on(SPOOL_NAME, problem)) {
            return false;
        }
        if (poll(&in, 1, 100) <= 0) {
            continue;
        }
        const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
        if (got == 0 && lseek(fd, 0, SEEK_SET) == 0) {
            return true;
        }
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        if (got < 0) {
            return problem_set(
                problem, PROBLEM_INPUT, "cannot read " SPOOL_NAME ": %s", strerror(errno));
        }
        size += (uint64_t)got;
        if (size > most) {
            return problem_set(
                problem, PROBLEM_LIMIT,
                SPOOL_NAME " has more than %.3g GiB; allow more by --max-input GiB, or save it to "
                           "a file",
                (double)most / 0x1p30);
        }
        if (got == 0 || !output_put(fd, bytes, (size_t)got)) {
            return problem_set(
                problem, PROBLEM_HOST_MEMORY, "cannot keep " SPOOL_NAME " in a temporary file: %s",
                strerror(errno));
        }
    }
}

static const char *spool_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

int spool_create(int folder)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
    return output_nameless(folder >= 0 ? path : spool_temporary_folder());
}

int spool_standard_input(uint64_t max_input, struct problem *problem)
{
    if (isatty(STDIN_FILENO)) {
        problem_set(
            problem, PROBLEM_INPUT,
            SPOOL_NAME " is a terminal; pipe a volume into it, or name one");
        return -1;
    }
    if (!apart_input(STDIN_FILENO, SPOOL_NAME, problem)) {
        return -1;
    }
    const char *folder = spool_temporary_folder();
    const int fd = output_nameless(folder);
    if (fd < 0) {
        problem_set(
            problem, PROBLEM_HOST_MEMORY, "cannot make a temporary file in '%s': %s", folder,
            strerror(errno));
        return -1;
    }
    if (!spool_copy(fd, max_input ? max_input : spool_room(fd), problem)) {
        close(fd);
        return -1;
    }
    return fd;
}
