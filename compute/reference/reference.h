// Isosurface extraction in plain C, written for clarity: the oracle that all results of the device
// are compared with.
#pragma once

#include "compute/mesh/mesh.h"
#include "shaders/shared/extraction.h"

// Active cells as linear indices ((z * (h-1) + y) * (w-1) + x), ascending. Owns `cells`.
struct cell_list {
    uint64_t count;
    uint64_t *cells;
};

// Extracts the surface where sample >= iso changes: the active cells, and the mesh in canonical
// order (mesh_canonicalize does not change it), in grid units. `cells` or `mesh` may be NULL.
// The rules, which the device shares:
//   inside      sample >= iso; integers compare with ceil(iso)
//   not finite  a cell with a NaN or infinite corner is not active; an edge that no active cell
//               uses has no vertex
//   vertex      lower end + (iso - a) / (b - a) along the edge, from the lower end to the higher
//   normal      minus the gradient, normalised. The gradient is computed at both ends of the edge
//               by central differences and interpolated. Differences are one-sided at the border
//               and next to samples that are not finite, and 0 between two of these. If the
//               gradient vanishes, the normal is the edge's direction towards the lower value. It
//               vanishes if it is shorter than GRADIENT_VANISHES times the longer gradient of the
//               two ends: only rounding is left then
// Memory: the output, its sorting, and a few slices of flags and indices.
// On false (out of memory, more than 2^32 - 1 vertices) both outputs are empty.
bool reference_extract(
    const struct volume *volume, double iso, struct cell_list *cells, struct mesh *mesh,
    struct problem *problem);

void cell_list_destroy(struct cell_list *list);

// The gradient at sample `at`, in values per grid unit. Along each axis it is the central
// difference if both neighbours are finite, one-sided if one is, otherwise 0.
void gradient_at(const struct volume *volume, const uint32_t at[3], double out[3]);

double gradient_length(const double v[3]);
