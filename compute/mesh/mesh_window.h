// Several processes write one mesh file: each writes a window of vertices and one of triangles.
// Offsets of records with a fixed size are computed. For lines of text, each process counts the
// bytes of its window first. The file has the same bytes as one that a single process writes.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The window of process `rank` of `count`. A NULL window means that one process writes all.
struct mesh_window {
    int rank, count;
    // Collective: `all` gets the `size` bytes of each process, in order. False where any process
    // has failed.
    bool (*gather)(void *user, const void *bytes, size_t size, void *all, struct problem *problem);
    // Collective: returns whether `fine` is true in all processes. May be NULL.
    bool (*agree)(void *user, bool fine, struct problem *problem);
    void *user;
    uint32_t pieces; // number of a format's pieces; 0: depends on the mesh's size
};

// The window's share of `total` elements: total * rank / count to total * (rank + 1) / count.
struct mesh_range {
    uint64_t first, end; // `end` is not included
};
struct mesh_range mesh_window_range(const struct mesh_window *window, uint64_t total);

// How many processes there are, and whether this is the first one.
int mesh_window_count(const struct mesh_window *window);
bool mesh_window_first(const struct mesh_window *window);

// Collective: the `size` bytes of each process, in order. The caller frees them. NULL where a
// process has failed.
void *mesh_window_gather(
    const struct mesh_window *window, const void *bytes, size_t size, struct problem *problem);

// Collective: *before is the sum of `value` over the processes before this one, *total over all.
bool mesh_window_sum(
    const struct mesh_window *window, uint64_t value, uint64_t *before, uint64_t *total,
    struct problem *problem);
