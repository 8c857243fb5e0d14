#pragma once

#include "compute/extraction/parts.h"

// The whole surface as one canonical mesh on the host, in grid units: for any division into parts,
// array for array the mesh of the volume extracted as one part. *totals may be NULL. `progress` may
// be NULL; false from it, and `interrupted`, are PROBLEM_INTERRUPTED. PROBLEM_LIMIT if there are
// more vertices than a mesh's indices can name. Free it with mesh_destroy; empty on false.
bool parts_mesh(
    struct parts *parts, const struct query *query, const struct progress *progress,
    struct extract_totals *totals, struct mesh *out, struct problem *problem);

// The same in steps: appends a part. The writer takes ownership of the mesh of a single part.
struct mesh_join {
    struct mesh mesh;
    uint64_t vertex_room, triangle_room;
};
bool mesh_join_add(struct mesh_join *join, struct part *part, struct problem *problem);
