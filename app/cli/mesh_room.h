#pragma once

#include "app/cli/session.h"
#include "compute/mesh/mesh_formats.h"

// Whether a mesh format can count the surface. For most surfaces a few layers of cells show that it
// can. Otherwise the surface is made once only to be counted: then `totals` and `extract_ms` hold
// its results, else they stay as they are. PROBLEM_LIMIT with the counts if the surface is too
// large. True is no promise, because a file that can only be read forward is not counted
// beforehand; the mesh's writer counts, too.
bool mesh_room(
    struct session *session, const struct query *query, const struct mesh_format *format,
    const char *path, struct extract_totals *totals, double *extract_ms, struct problem *problem);
