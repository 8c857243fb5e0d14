// Several processes write one file of a mesh: each a window of its vertices and of its triangles.
// Records of a fixed size have their place by arithmetic. For lines of text, each process counts
// the bytes of its window first. The file has the same bytes as one that a single process writes.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Process `rank` of `count`. NULL in place of a window means a process alone.
struct mesh_window {
    int rank, count;
    // Collective: `all` gets the `size` bytes of each process, in order. False where any process
    // has failed.
    bool (*gather)(void *user, const void *bytes, size_t size, void *all, struct problem *problem);
    // Collective: whether all processes are fine. NULL: nobody asks.
    bool (*agree)(void *user, bool fine, struct problem *problem);
    void *user;
    uint32_t pieces; // of a format in pieces; 0: by the size of the mesh
};

// The elements of the window: of `total`, those from total rank/count up to total (rank+1)/count.
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

// Collective: the sum of the values of the processes before this one, and of all.
bool mesh_window_sum(
    const struct mesh_window *window, uint64_t value, uint64_t *before, uint64_t *total,
    struct problem *problem);
