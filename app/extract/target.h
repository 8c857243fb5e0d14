// Which mesh or share the command line asks for. Both functions refuse, before any work, options
// that do not fit together (PROBLEM_USAGE) and targets that cannot be right (see target_check).
#pragma once

#include "app/extract/jobs.h"

// Checks -o, --format and --pieces of a mesh. Sets *format; NULL: no mesh is written.
bool mesh_target(
    const struct options *options, const struct mesh_format **format, struct problem *problem);

// Like mesh_target, for extract, which can also write a share. Sets *target, too.
bool extract_target(
    const struct options *options, enum jobs_target *target, const struct mesh_format **format,
    struct problem *problem);
