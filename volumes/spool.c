#include "volumes/spool.h"

#include "volumes/output.h"
#include "volumes/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t done = write(fd, bytes, size);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

static bool copy(int fd, struct problem *problem)
{
    static char bytes[1 << 16];
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
        if (got == 0 && lseek(fd, 0, SEEK_SET) == 0) {
            return true;
        }
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return problem_set(
                problem, PROBLEM_INPUT, "cannot read " SPOOL_NAME ": %s", strerror(errno));
        }
        if (got == 0 || !write_all(fd, bytes, (size_t)got)) {
            return problem_set(
                problem, PROBLEM_DEVICE, "cannot keep " SPOOL_NAME " in a temporary file: %s",
                strerror(errno));
        }
    }
}

void spool_path(int fd, char path[32])
{
    snprintf(path, 32, "/dev/fd/%d", fd);
}

bool spool_blame(int fd, const struct problem *why, struct problem *problem)
{
    char path[32];
    spool_path(fd, path);
    const char *at = strstr(why->text, path);
    return at ? problem_set(
                    problem, why->code, "%.*s" SPOOL_NAME "%s", (int)(at - why->text), why->text,
                    at + strlen(path))
              : problem_set(problem, why->code, "%s", why->text);
}

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

int spool_create(int folder)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
    return output_nameless(folder >= 0 ? path : temporary_folder());
}

int spool_standard_input(struct problem *problem)
{
    if (isatty(STDIN_FILENO)) {
        problem_set(
            problem, PROBLEM_INPUT,
            SPOOL_NAME " is a terminal; pipe a volume into it, or name one");
        return -1;
    }
    if (!source_may_be_read(STDIN_FILENO, SPOOL_NAME, problem)) {
        return -1;
    }
    const char *folder = temporary_folder();
    const int fd = output_nameless(folder);
    if (fd < 0) {
        problem_set(
            problem, PROBLEM_DEVICE, "cannot make a temporary file in '%s': %s", folder,
            strerror(errno));
        return -1;
    }
    if (!copy(fd, problem)) {
        close(fd);
        return -1;
    }
    return fd;
}
