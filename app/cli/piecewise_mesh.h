// A mesh that comes slab by slab: measured and written while it comes.
#pragma once

#include "app/cli/measure.h"
#include "app/cli/piecewise.h"

// Writes to --output as `format` where there is one; `write_ms` is how long putting the file
// together took. The volume has been chosen to be worked on in pieces.
bool piecewise_mesh(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    const struct mesh_format *format, struct measured *out, double *write_ms,
    struct problem *problem);
