// What can be told of a surface that comes in pieces: sums over its triangles. Pieces come in any
// order, with vertices twice where they meet.
#pragma once

#include "compute/mesh.h"

// Zero-initialised but for the centre.
struct mesh_sums {
    double centre[3];    // of the tetrahedra that are summed up; near the surface
    double area, volume; // as mesh_facts has them
    double bounds[2][3];
    bool any; // vertex has come
    uint64_t balance;
};

void mesh_sums_bounds(struct mesh_sums *sums, const struct mesh *piece);
void mesh_sums_size(struct mesh_sums *sums, const struct mesh *piece);

// For mesh_sums_balanced: corner c of the piece's triangles is vertex first_vertex + c of the
// whole.
void mesh_sums_edges(struct mesh_sums *sums, const struct mesh *piece, uint64_t first_vertex);

// Whether triangles run along every edge as often one way as the other, so that the volume means
// something. Edges count as 64-bit hashes, of which each direction takes back the other: a surface
// that is not balanced passes for one once in 2^64.
bool mesh_sums_balanced(const struct mesh_sums *sums);
