// A cast over the parts of a volume, one after the other: the hits are those of a cast of the whole
// volume, to the last bit. A part is cast like a volume, and a pixel keeps the nearest hit. Each
// cell belongs to one part, whose atlas has the samples around it that normals need.
//
//   cast_parts_begin
//   cast_parts_add for each part
//   cast_parts_end; if there are edges: cast_parts_add_edges for each part
//
// The order of the parts does not matter, nor does it if a part is left out that the isovalue
// misses. All wait for the device. The casting is one of casting_create_parts, and has its caster
// prepared; the cast is the same in all calls.
#pragma once

#include "compute/casting/casting.h"

bool cast_parts_begin(struct casting *casting, const struct cast *cast, struct problem *problem);

// `atlas`: the part. PROBLEM_INTERNAL: as of casting_collect.
bool cast_parts_add(
    struct casting *casting, const struct atlas *atlas, const struct cast *cast,
    struct problem *problem);

// Finishes hits, positions and normals: casting_fetch gets them. *hits: as of casting_collect.
// *edges: the cast has pixels at edges, whose samples have yet to be cast.
bool cast_parts_end(
    struct casting *casting, const struct cast *cast, uint32_t *hits, bool *edges,
    struct problem *problem);

bool cast_parts_add_edges(
    struct casting *casting, const struct atlas *atlas, const struct cast *cast,
    struct problem *problem);
