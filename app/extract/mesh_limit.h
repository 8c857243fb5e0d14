#pragma once

#include "app/cli/session.h"
#include "compute/mesh/mesh_formats.h"

// Collective. Whether the surface may be too large for a mesh format. For most surfaces the size of
// the volume or a few layers of cells show that it is not. A file that can only be read forward is
// never doubtful, because looking at it takes as long as the extraction.
bool mesh_room_is_doubtful(
    struct session *session, double iso, const struct mesh_format *format, const char *path,
    bool *doubtful, struct problem *problem);

// For one rank: whether a mesh format can count the surface. Where that is doubtful, the surface is
// made once only to be counted: then `totals` and `extract_ms` hold its results, else they stay as
// they are. PROBLEM_LIMIT with the counts if the surface is too large. True is no promise; the
// mesh's writer counts, too.
bool mesh_room(
    struct session *session, const struct query *query, const struct mesh_format *format,
    const char *path, struct extract_totals *totals, double *extract_ms, struct problem *problem);
