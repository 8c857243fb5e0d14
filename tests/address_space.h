// The address space that this process has taken so far, in bytes. A test that sets RLIMIT_AS a
// little above it makes larger allocations fail.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static inline uint64_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}
