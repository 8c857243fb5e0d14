// A triangle mesh in host memory: where every path of extraction ends, and what verify compares.
#pragma once

#include "volumes/volume.h"

#include <stdbool.h>
#include <stdint.h>

// Owns its arrays; zero-initialised means empty. Release with mesh_destroy.
//
// Positions and normals are in grid units: sample (i, j, k) stands at (i, j, k). The volume's
// spacing, origin and direction are applied by mesh_to_world, once, before facts and writing.
struct mesh {
    uint64_t vertex_count;
    uint64_t triangle_count;
    float (*positions)[3];
    float (*normals)[3];      // unit length, towards lower values
    uint32_t (*triangles)[3]; // counter-clockwise seen from lower values
    uint64_t *edges;          // the grid edge of each vertex: 3 * ((z * h + y) * w + x) + axis of
                              // its lower end, axis 0 = x, 1 = y, 2 = z
};

// Allocates arrays for the counts (contents undefined). On false `out` is empty.
bool mesh_create(uint64_t vertices, uint64_t triangles, struct mesh *out, struct problem *problem);
void mesh_destroy(struct mesh *mesh);

// PROBLEM_INTERNAL where a triangle names a vertex that does not exist; mesh_canonicalize and
// mesh_facts ask this first.
bool mesh_check_indices(const struct mesh *mesh, struct problem *problem);

// Brings a welded mesh into the one order that does not depend on how it was made: vertices by
// grid edge; each triangle turned (orientation kept) so that its smallest vertex comes first;
// triangles sorted by their corners. Linear time in practice. After this, meshes of the same
// surface are equal arrays, and exports are equal bytes. PROBLEM_HOST_MEMORY when out of memory.
bool mesh_canonicalize(struct mesh *mesh, struct problem *problem);

// The same, asking `progress` every some 100,000 elements whether to go on (its share stays 0):
// PROBLEM_INTERRUPTED where it says no; the mesh is then in no state but to be destroyed.
bool mesh_canonicalize_while(
    struct mesh *mesh, const struct progress *progress, struct problem *problem);

// Applies the volume's affine in double precision: positions through spacing, direction, origin;
// normals through the inverse transpose; winding flipped where the affine mirrors.
void mesh_to_world(struct mesh *mesh, const struct volume *volume);

// Whether that turns triangles over.
bool mesh_mirrors(const struct volume *volume);
