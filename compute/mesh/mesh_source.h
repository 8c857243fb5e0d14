// A mesh as format functions read it: its counts, then block by block, as many times as needed. It
// may be in memory or in files.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MESH_BLOCK ((size_t)2048) // vertices or triangles of a block at most

struct mesh;

#define MESH_OBJECTS 8 // the most objects of a mesh

struct mesh_material {
    bool set;        // false: the format decides
    float colour[4]; // linear red, green, blue, and the opacity, all 0 to 1
};

// Consecutive vertices and triangles of a mesh, such as the surface at one of several isovalues.
struct mesh_object {
    char name[32]; // without characters that JSON escapes; "" if the mesh is one object
    uint64_t first_vertex, vertex_count, first_triangle, triangle_count;
    struct mesh_material material;
};

struct mesh_source {
    uint64_t vertex_count, triangle_count;
    // The objects, one after another, all with triangles; 0: the mesh is one, and has the material
    // of objects[0]. Triangles count vertices from the first one of their object.
    struct mesh_object objects[MESH_OBJECTS];
    size_t object_count;
    // Both read `count` (up to MESH_BLOCK) elements, beginning with number `first`.
    bool (*vertices)(
        void *user, uint64_t first, size_t count, float (*positions)[3], float (*normals)[3],
        struct problem *problem);
    bool (*triangles)(
        void *user, uint64_t first, size_t count, uint64_t (*corners)[3], struct problem *problem);
    // Reads one vertex. Vertices may be read in any order; nearby ones are cheap.
    bool (*position)(void *user, uint64_t vertex, float out[3], struct problem *problem);
    void *user;
};

// The source of a mesh in memory. The mesh must outlive the source.
struct mesh_source mesh_source_of(const struct mesh *mesh);

// The number of elements, of `total`, in the block that begins with `first`.
static inline size_t mesh_block(uint64_t total, uint64_t first)
{
    return total - first < MESH_BLOCK ? (size_t)(total - first) : MESH_BLOCK;
}
