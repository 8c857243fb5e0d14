// Which mesh or share the command line asks to write. All refuse, before any work, options that do
// not fit together (PROBLEM_USAGE) and targets that cannot be right (see target_check).
#pragma once

#include "app/extract/jobs.h"

// The mesh of -o, --format and --pieces. Sets *format; NULL where no mesh is written.
bool mesh_target(
    const struct options *options, const struct mesh_format **format, struct problem *problem);

// The same for extract, which can also write a share. Sets *target, too.
bool extract_target(
    const struct options *options, enum jobs_target *target, const struct mesh_format **format,
    struct problem *problem);
