// Which mesh the command line asks to write: -o, --format, --pieces.
#pragma once

#include "app/cli/options.h"

// Sets *format; NULL where no mesh is written. Refuses, before any work, options that do not fit
// together and targets that cannot be right (see target_check).
bool mesh_target(
    const struct options *options, const struct mesh_format **format, struct problem *problem);
