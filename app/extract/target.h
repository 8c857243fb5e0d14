// Which mesh or share the command line asks for. Both functions refuse, before any work, options
// that do not fit together (PROBLEM_USAGE) and targets that cannot be right (see target_check).
#pragma once

#include "app/extract/jobs.h"

// Checks -o, --format, --pieces, --color and --opacity of a mesh. Sets *format; NULL: no mesh is
// written.
bool mesh_target(
    const struct options *options, const struct mesh_format **format, struct problem *problem);

// Like mesh_target, for extract, which can also write a share, and a mesh for each of several
// isovalues. Sets *target, too.
bool extract_target(
    const struct options *options, enum jobs_target *target, const struct mesh_format **format,
    struct problem *problem);

// Refuses what cannot be done for several isovalues. PROBLEM_USAGE.
bool target_of_several(
    const struct options *options, enum jobs_target target, const struct mesh_format *format,
    struct problem *problem);

// Whether the file of each isovalue has a name of its own: -o has {iso} or {n}.
bool target_has_names(const struct options *options);

// Sets names[i] to the name of the file of isovalue i: that of -o, with {iso} replaced by the
// isovalue and {n} by i + 1. Leaves them NULL without such names, or if a name depends on the facts
// and `facts` is NULL; then call it again. Does nothing if the names are set. PROBLEM_USAGE if two
// are equal; refuses each as target_check does. The caller frees them.
bool target_names(
    const struct options *options, const struct volume_facts *facts, char *names[CONTOURS_MOST],
    struct problem *problem);
