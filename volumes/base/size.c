#include "volumes/base/size.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define MAX_AXIS 0x7fffffffu // sums of two coordinates then fit 32 bits

bool size_product(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

uint64_t size_memory_free(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file) {
        return UINT64_MAX;
    }
    uint64_t kib = UINT64_MAX / 1024;
    char line[128];
    while (fgets(line, sizeof line, file)) {
        unsigned long long value = 0;
        if (sscanf(line, "MemAvailable: %llu kB", &value) == 1) {
            kib = value;
            break;
        }
    }
    fclose(file);
    return kib * 1024;
}

uint64_t size_limit(uint64_t max_bytes)
{
    if (max_bytes > 0) {
        return max_bytes;
    }
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages / 4 * 3 * (uint64_t)page : UINT64_C(1) << 31;
}

bool size_check(
    const char *what, const uint64_t dim[3], size_t size, uint64_t max_bytes, uint64_t *bytes,
    struct problem *problem)
{
    for (int i = 0; i < 3; i++) {
        if (dim[i] < 2) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "%s: dims %" PRIu64 "x%" PRIu64 "x%" PRIu64
                ": a surface needs two samples along each axis",
                what, dim[0], dim[1], dim[2]);
        }
    }
    for (int i = 0; i < 3; i++) {
        if (dim[i] > MAX_AXIS) {
            return problem_set(
                problem, PROBLEM_LIMIT,
                "%s: %c has too many samples; the limit is %u along an axis", what, "xyz"[i],
                MAX_AXIS);
        }
    }
    uint64_t total;
    if (!size_product(dim[0], dim[1], &total) || !size_product(total, dim[2], &total) ||
        !size_product(total, size, &total)) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "%s: dims %" PRIu64 "x%" PRIu64 "x%" PRIu64 " take more bytes than 64 bits can count",
            what, dim[0], dim[1], dim[2]);
    }
    const uint64_t limit = size_limit(max_bytes);
    if (total > limit || total > PTRDIFF_MAX) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "%s: dims %" PRIu64 "x%" PRIu64 "x%" PRIu64 " need %" PRIu64
            " bytes of memory, the limit is %" PRIu64,
            what, dim[0], dim[1], dim[2], total, limit);
    }
    *bytes = total;
    return true;
}
