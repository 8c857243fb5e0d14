#pragma once

#include "app/cli/measure.h"

// Whether a mesh format can count the surface. A few layers of cells tell that it surely can; where
// it might not, the surface is made once only to be counted: out->totals and out->extract_ms say
// what that took, else they stay 0. PROBLEM_LIMIT with the counts where it is too much. True is no
// promise: the mesh's writer counts along, and a file that can only be read from its start is not
// looked at. Nor is a volume of one part: its surface is there before anything is written.
bool mesh_room(
    struct session *session, const struct query *query, const struct mesh_format *format,
    const char *path, struct measured *out, struct problem *problem);
