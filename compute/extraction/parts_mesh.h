#pragma once

#include "compute/extraction/parts.h"

// The whole surface as one canonical mesh on the host, in grid units, whatever the parts: array for
// array the mesh of the volume extracted at once. *totals may be NULL. `progress` may be NULL;
// false from it, and `interrupted`, are PROBLEM_INTERRUPTED. PROBLEM_LIMIT with more vertices than
// a mesh's indices can name. Release with mesh_destroy; empty on false.
bool parts_mesh(
    struct parts *parts, const struct query *query, const struct progress *progress,
    struct extract_totals *totals, struct mesh *out, struct problem *problem);

// The same in steps: adds a part to those before. The mesh of a single part is taken over as it is.
struct mesh_join {
    struct mesh mesh;
    uint64_t vertex_room, triangle_room;
};
bool mesh_join_add(struct mesh_join *join, struct part *part, struct problem *problem);
