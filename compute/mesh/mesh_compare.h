// Are two meshes the same surface? What verify asks of the device's mesh and the reference's.
#pragma once

#include "compute/mesh/mesh.h"

// Zero means default.
struct mesh_tolerance {
    double position; // largest difference of a coordinate, in grid spacings; 1e-4. One unit in the
                     // last place of the coordinate is allowed on top: a float far out is coarse
    double normal;   // longest difference of two normals; 2e-2, that is an angle of 1.15 degrees
};

// What a comparison came to. A flag is false where anything differs; none is allowed to.
struct mesh_difference {
    bool vertices_equal;  // as many
    bool edges_equal;     // on the same grid edges
    bool positions_equal; // of the vertices on edges that both have, within the tolerance
    bool normals_equal;   // likewise
    bool triangles_equal; // same corners (by grid edge), same orientation

    uint64_t positions_off, normals_off, triangles_off; // how many; a missing or a surplus triangle
                                                        // counts once
    uint64_t edges_missing, edges_surplus;              // in `found`, held against `expected`
    double worst_position; // largest difference of a coordinate, even within the tolerance
    double worst_normal;   // longest difference of normals

    uint64_t first; // the vertex or triangle that `text` speaks of, by its number in `expected` (in
                    // `found` where it is surplus)
    char text[300]; // the first difference for people; empty where there is none
};

// Compares two canonical meshes in grid units. `tolerance` may be NULL. True where they are equal.
// Linear; allocates nothing.
bool mesh_compare(
    const struct mesh *expected, const struct mesh *found, const struct mesh_tolerance *tolerance,
    struct mesh_difference *out);
