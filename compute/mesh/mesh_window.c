#include "compute/mesh/mesh_window.h"

#include <stdlib.h>
#include <string.h>

int mesh_window_count(const struct mesh_window *window)
{
    return window ? window->count : 1;
}

bool mesh_window_first(const struct mesh_window *window)
{
    return !window || window->rank == 0;
}

struct mesh_range mesh_window_range(const struct mesh_window *window, uint64_t total)
{
    if (!window) {
        return (struct mesh_range){ 0, total };
    }
    // total * rank / count, without a product that may be too large.
    const uint64_t rank = (uint64_t)window->rank, count = (uint64_t)window->count;
    const uint64_t each = total / count, rest = total % count;
    return (struct mesh_range){
        .first = each * rank + rest * rank / count,
        .end = each * (rank + 1) + rest * (rank + 1) / count,
    };
}

void *mesh_window_gather(
    const struct mesh_window *window, const void *bytes, size_t size, struct problem *problem)
{
    void *all = calloc((size_t)mesh_window_count(window), size);
    if (!all) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory writing a mesh");
        return NULL;
    }
    if (!window) {
        memcpy(all, bytes, size);
    } else if (!window->gather(window->user, bytes, size, all, problem)) {
        free(all);
        return NULL;
    }
    return all;
}

bool mesh_window_sum(
    const struct mesh_window *window, uint64_t value, uint64_t *before, uint64_t *total,
    struct problem *problem)
{
    uint64_t *values = mesh_window_gather(window, &value, sizeof value, problem);
    const bool fine = values;
    *before = *total = 0;
    for (int i = 0; fine && i < mesh_window_count(window); i++) {
        *before += window && i < window->rank ? values[i] : 0;
        *total += values[i];
    }
    free(values);
    return fine;
}
