// Where a surface is, before it is made: points around what is seen of it from outside, from the
// volume's cubes.
#pragma once

#include "volumes/cubes.h"

// The points are in samples: (0, 0, 0) is the first sample. Of the cubes that the isovalue crosses
// those count that are the first or the last of their row along an axis, and of such a cube the
// part that the surface is in, as far as the ranges of the cubes beside it tell. Where samples
// change evenly the points reach as far as the surface, but for a fraction of a cube; they are
// never off by more than a cube.
//
// Returns their number: 0 where the surface is empty, or where memory is too short. The caller
// frees *points.
size_t
cubes_outline(const struct cubes *cubes, const uint32_t dim[3], double iso, float (**points)[3]);
