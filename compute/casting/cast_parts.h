// A cast over the parts of a volume, one after the other: the hits are those of a cast of the whole
// volume, to the last bit. A part is cast like a volume, and a pixel keeps the nearest hit. Each
// cell belongs to one part, whose atlas has the samples around it that normals need.
//
//   cast_parts_begin
//   cast_parts_add for each part
//   cast_parts_nearest; if there are more rays: cast_parts_add_more for each part, cast_parts_end
//
// The order of the parts does not matter, nor does it if a part is left out that the isovalue
// misses. All wait for the device. The casting is one of casting_create_parts, and has its caster
// prepared, and the shadow of a cast that has one; the cast is the same in all calls.
#pragma once

#include "compute/casting/casting.h"

bool cast_parts_begin(struct casting *casting, const struct cast *cast, struct problem *problem);

// `atlas`: the part. PROBLEM_INTERNAL: as of casting_collect.
bool cast_parts_add(
    struct casting *casting, const struct atlas *atlas, const struct cast *cast,
    struct problem *problem);

// Finishes hits, positions and normals: casting_fetch gets them. *hits: as of casting_collect.
// *more: further rays have yet to be cast: those of samples of pixels at edges, and those to the
// light.
bool cast_parts_nearest(
    struct casting *casting, const struct cast *cast, uint32_t *hits, bool *more,
    struct problem *problem);

bool cast_parts_add_more(
    struct casting *casting, const struct atlas *atlas, const struct cast *cast,
    struct problem *problem);

// Finishes the shadow.
bool cast_parts_end(struct casting *casting, const struct cast *cast, struct problem *problem);
