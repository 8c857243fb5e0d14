#include "app/base/fingerprint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define START  ((size_t)1 << 20) // bytes
#define BLOCK  ((size_t)1 << 12) // bytes
#define BLOCKS ((uint64_t)256)

// FNV-1a
static const uint64_t NOTHING = UINT64_C(0xcbf29ce484222325);

static uint64_t fingerprint_add(uint64_t hash, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t fingerprint_text(const char *text)
{
    return fingerprint_add(NOTHING, (const unsigned char *)text, strlen(text));
}

bool fingerprint_of(const char *path, struct fingerprint *out)
{
    struct stat there;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // does not wait for a pipe
    unsigned char *bytes = malloc(START);
    bool fine = fd >= 0 && bytes && fstat(fd, &there) == 0 && S_ISREG(there.st_mode);
    *out = (struct fingerprint){ .start = NOTHING };
    if (fine) {
        int error;
        const size_t got = source_read_at(fd, 0, bytes, START, &error);
        fine = !error;
        out->start = fingerprint_add(out->start, bytes, got);
    }
    out->bytes = fine ? (uint64_t)there.st_size : 0;
    free(bytes);
    if (fd >= 0) {
        close(fd);
    }
    return fine;
}

// Adds `size` bytes of the file, from offset `at` on, to *hash.
static bool fingerprint_add_block(
    const char *path, uint64_t at, size_t size, uint64_t *hash, struct problem *problem)
{
    unsigned char bytes[BLOCK];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    int error = fd < 0 ? errno : 0;
    const size_t got = fd < 0 ? 0 : source_read_at(fd, at, bytes, size, &error);
    if (fd >= 0) {
        close(fd);
    }
    if (got != size) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%.400s' cannot be read: %s", path,
            error ? strerror(error) : "it is shorter than it was");
    }
    *hash = fingerprint_add(*hash, bytes, size);
    return true;
}

bool fingerprint_of_files(
    const struct source_files *files, bool spreads, struct files_fingerprint *out,
    struct problem *problem)
{
    *out = (struct files_fingerprint){ .spread = spreads ? NOTHING : 0 };
    for (size_t i = 0; i < files->count; i++) {
        const struct source_stamp *stamp = &files->stamps[i];
        const int64_t time = stamp->seconds * INT64_C(1000000000) + stamp->nanoseconds;
        out->bytes += stamp->size;
        out->time = i == 0 || time > out->time ? time : out->time;
    }
    const uint64_t step = out->bytes / BLOCKS;
    uint64_t begin = 0; // where the current file begins in the sequence of all bytes
    size_t file = 0, size;
    for (uint64_t at = 0; spreads && at < out->bytes; at += step <= BLOCK ? size : step) {
        while (at - begin >= files->stamps[file].size) {
            begin += files->stamps[file++].size;
        }
        // A block does not continue in the next file.
        const uint64_t left = files->stamps[file].size - (at - begin);
        size = left < BLOCK ? (size_t)left : BLOCK;
        if (!fingerprint_add_block(files->paths[file], at - begin, size, &out->spread, problem)) {
            return false;
        }
    }
    return true;
}
