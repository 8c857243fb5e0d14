// How many bytes a volume takes, and whether that is allowed. Only this file multiplies dims.
#pragma once

#include "volumes/base/problem.h"

#include <stdint.h>

// a * b, or false where 64 bits are too few.
bool size_product(uint64_t a, uint64_t b, uint64_t *out);

// Checks dims (64 bits, as read) and computes the bytes that they take with samples of `size`
// bytes. `what` names the source in messages. PROBLEM_INPUT where an axis has fewer than two
// samples; PROBLEM_LIMIT where an axis, or the whole volume, is over a limit (`max_bytes`; zero:
// three quarters of RAM).
bool size_check(
    const char *what, const uint64_t dim[3], size_t size, uint64_t max_bytes, uint64_t *bytes,
    struct problem *problem);

// Bytes of memory that the operating system says are available; UINT64_MAX where it does not say.
uint64_t size_memory_free(void);

// Returns `max_bytes`; for zero, the default: three quarters of RAM.
uint64_t size_limit(uint64_t max_bytes);
