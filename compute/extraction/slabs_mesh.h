// The mesh of a volume that is worked on slab by slab, as a whole in host memory.
#pragma once

#include "compute/extraction/slabs.h"

// Runs the step, whose sink may have a `progress` and nothing else, and joins the parts: canonical,
// in grid units, array for array the mesh of the extraction at once. PROBLEM_LIMIT, too, with more
// vertices than a mesh's indices can name. Release with mesh_destroy; empty on false.
bool slabs_mesh(
    struct slabs *slabs, const struct slabs_step *step, struct slabs_result *result,
    struct mesh *out, struct problem *problem);
