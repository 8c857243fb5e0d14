// The 256 cases of marching cubes, derived by rule. The reference and the device use the same
// cases; the device gets them as a buffer.
//
// Corner c of a cell is at (c & 1, c >> 1 & 1, c >> 2 & 1); bit c of a case is set if the corner is
// inside (sample >= isovalue).
// Edge e runs along axis e >> 2 from the corner whose other two coordinates are the bits of e & 3:
//   axis x (0..3): (dy, dz) = (e & 1, e >> 1 & 1)
//   axis y (4..7): (dx, dz) = (e & 1, e >> 1 & 1)
//   axis z (8..11): (dx, dy) = (e & 1, e >> 1 & 1)
//
// The rule: go around each face; on a face with two diagonal inside corners, separate the inside
// corners; join the segments to loops; triangulate each loop so that no diagonal is on a face of
// the cube. Then no face between two cells has a crack, and no edge gets more than two triangles.
#pragma once

#include <stdint.h>

#define CASES              256
#define CASE_MAX_TRIANGLES 5

struct marching_cubes_case {
    uint8_t triangle_count;               // 0..5
    uint8_t edges[CASE_MAX_TRIANGLES][3]; // edge codes, counter-clockwise seen from outside
};

// Derives all cases (microseconds; no state).
void marching_cubes_derive(struct marching_cubes_case cases[CASES]);
