// Meshes of slabs, joined into the mesh of the whole: slab by slab from the bottom, in memory that
// grows with a slab and not with the whole. What comes out is, number for number, what
// mesh_canonicalize makes of the mesh extracted at once.
#pragma once

#include "compute/mesh.h"

// Takes what is joined, in the order of the result. Corners are numbers among all vertices; some
// may name vertices that come later.
struct mesh_join_sink {
    bool (*vertices)(
        void *user, uint64_t count, const float (*positions)[3], const float (*normals)[3],
        struct problem *problem);
    bool (*triangles)(
        void *user, uint64_t count, const uint64_t (*corners)[3], struct problem *problem);
    void *user;
};

// Zero-initialised but for dim and sink. Release with mesh_join_destroy.
struct mesh_join {
    uint32_t dim[2]; // samples along x and y
    struct mesh_join_sink sink;
    uint64_t vertex_count, triangle_count; // handed to the sink so far
    struct mesh border;                    // vertices of the last slab's upper border: not yet out
    uint64_t (*waiting)[3];                // triangles that come behind such a vertex, in order
    uint64_t waiting_count;
};

// The next slab: its mesh of the cells that lie below slice `top`, and not in a slab before. Edges
// and positions are those of the whole volume, triangles number the slab's own vertices, and border
// vertices are in both slabs. Where the normals shall be those of the whole, a slab was extracted
// with one more slice at both ends than its cells have. The mesh is brought into canonical order,
// and may be freed. PROBLEM_DEVICE when out of memory, PROBLEM_INTERNAL where a triangle names a
// vertex that does not exist, or the slabs come in the wrong order; else what the sink says. After
// false only mesh_join_destroy may follow.
bool mesh_join_slab(
    struct mesh_join *join, struct mesh *slab, uint32_t top, struct problem *problem);

// After the last slab: hands out what still waits.
bool mesh_join_end(struct mesh_join *join, struct problem *problem);

// Takes a zeroed one.
void mesh_join_destroy(struct mesh_join *join);
