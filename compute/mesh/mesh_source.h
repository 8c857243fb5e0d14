// A mesh as the writers read it: its counts, then block by block, as often as a format asks. It may
// stand in memory or in files.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MESH_BLOCK ((size_t)2048) // vertices or triangles at most

struct mesh;

struct mesh_source {
    uint64_t vertex_count, triangle_count;
    // Both fetch `count` (up to MESH_BLOCK) from number `first` on.
    bool (*vertices)(
        void *user, uint64_t first, size_t count, float (*positions)[3], float (*normals)[3],
        struct problem *problem);
    bool (*triangles)(
        void *user, uint64_t first, size_t count, uint64_t (*corners)[3], struct problem *problem);
    // One vertex, in any order; cheap where it is near the ones before.
    bool (*position)(void *user, uint64_t vertex, float out[3], struct problem *problem);
    void *user;
};

// Of a mesh in memory, borrowed.
struct mesh_source mesh_source_of(const struct mesh *mesh);

// How many of `total` the block from `first` on has.
static inline size_t mesh_block(uint64_t total, uint64_t first)
{
    return total - first < MESH_BLOCK ? (size_t)(total - first) : MESH_BLOCK;
}
