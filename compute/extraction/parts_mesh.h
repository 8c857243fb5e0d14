#pragma once

#include "compute/extraction/parts.h"

// The whole surface as one canonical mesh on the host, in grid units: for any division into parts,
// array for array the mesh of the volume extracted as one part. Zero-initialised it is empty; free
// `mesh` with mesh_destroy.
struct mesh_join {
    struct mesh mesh;
    uint64_t vertex_room, triangle_room;
};

// Appends a part that was extracted with query.mesh. Takes ownership of the mesh of a single part.
// PROBLEM_LIMIT if there are more vertices than a mesh's indices can name.
bool mesh_join_add(struct mesh_join *join, struct part *part, struct problem *problem);
