// Whether a format can count the mesh that is about to be made slab by slab.
#pragma once

#include "app/cli/piecewise.h"
#include "compute/mesh/mesh_formats.h"

// After piecewise_begin, before anything is written to `path`. Where a volume of this size can have
// more surface than the format counts, a few layers of it are looked at; where these, too, say that
// it might, the surface is made once only to be counted. PROBLEM_LIMIT with the counts where it is
// too much. True is no promise: the mesh's writer counts along, and a file that can only be read
// from its start is not looked at.
bool piecewise_has_room(
    struct piecewise *piecewise, const struct session *session, const struct mesh_format *format,
    const char *path, struct problem *problem);
