// Compares two meshes: are they the same surface? verify compares the device's mesh with the
// reference's.
#pragma once

#include "compute/mesh/mesh.h"

// Zero means default.
struct mesh_tolerance {
    double position; // largest difference of a coordinate, in grid spacings; default 1e-4. One unit
                     // in the coordinate's last place is allowed on top: a float far out is coarse
    // largest length of the difference of two normals; default 2e-2, an angle of 1.15 degrees
    double normal;
};

// The result of a comparison. A flag is false if there is any difference of its kind.
struct mesh_difference {
    bool vertices_equal;  // equal numbers of vertices
    bool edges_equal;     // vertices on the same grid edges
    bool positions_equal; // equal within the tolerance, for vertices on edges that both have
    bool normals_equal;   // equal within the tolerance, for normals of these vertices
    bool triangles_equal; // same corners (by grid edge), same orientation

    uint64_t positions_off, normals_off, triangles_off; // how many differ; a missing or a surplus
                                                        // triangle counts once
    uint64_t edges_missing, edges_surplus;              // in `found`, compared with `expected`
    double worst_position; // largest difference of a coordinate, even within the tolerance
    double worst_normal;   // largest length of a difference of normals

    uint64_t first; // the vertex or triangle that `text` speaks of, by its number in `expected` (in
                    // `found` where it is surplus)
    char text[300]; // describes the first difference; empty if there is none
};

// Compares two canonical meshes in grid units. `tolerance` may be NULL. Returns whether they are
// equal. Linear time; allocates nothing.
bool mesh_compare(
    const struct mesh *expected, const struct mesh *found, const struct mesh_tolerance *tolerance,
    struct mesh_difference *out);
