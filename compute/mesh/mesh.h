// A triangle mesh in host memory: the result of every extraction, and what verify compares.
#pragma once

#include "volumes/volume.h"

#include <stdbool.h>
#include <stdint.h>

// Owns its arrays; zero-initialised means empty. Free it with mesh_destroy.
//
// Positions and normals are in grid units: sample (i, j, k) is at (i, j, k). The facts and the
// writer apply the volume's spacing, origin and direction (mesh_place.h).
struct mesh {
    uint64_t vertex_count;
    uint64_t triangle_count;
    float (*positions)[3];
    float (*normals)[3];      // unit length, towards lower values
    uint32_t (*triangles)[3]; // counter-clockwise seen from lower values
    // Grid edge of each vertex: 3 * ((z * h + y) * w + x) + axis of its lower end, axis 0 = x, 1 =
    // y, 2 = z.
    uint64_t *edges;
};

// Allocates arrays for the counts (contents undefined). On false `out` is empty.
bool mesh_create(uint64_t vertices, uint64_t triangles, struct mesh *out, struct problem *problem);
void mesh_destroy(struct mesh *mesh);

// Appends `count` vertices of another mesh, from its vertex `first` on. `*capacity`: how many
// vertices `mesh` can hold; its arrays grow by half. False: out of memory, and `mesh` is as before.
bool mesh_append_vertices(
    struct mesh *mesh, uint64_t *capacity, const struct mesh *from, uint64_t first, uint64_t count);

// How many vertices of a canonical mesh have a grid edge below this one.
uint64_t mesh_vertices_below(const struct mesh *mesh, uint64_t edge);

// PROBLEM_INTERNAL if a triangle names a vertex that does not exist. mesh_canonicalize and
// mesh_facts call this first.
bool mesh_check_indices(const struct mesh *mesh, struct problem *problem);

// Brings a welded mesh into canonical order, which does not depend on how the mesh was made.
// Vertices are sorted by grid edge. Each triangle is rotated so that its smallest vertex comes
// first, which keeps its orientation. Triangles are sorted by their corners. Then meshes of the
// same surface are equal arrays, and exports are equal bytes. Linear time in practice.
// PROBLEM_HOST_MEMORY when memory is short.
bool mesh_canonicalize(struct mesh *mesh, struct problem *problem);

// Does what mesh_canonicalize does, and calls `progress` about every 100,000 elements, with the
// share 0. PROBLEM_INTERRUPTED if `progress` returns false; then the mesh can only be destroyed.
bool mesh_canonicalize_while(
    struct mesh *mesh, const struct progress *progress, struct problem *problem);
