// Rays against the surface in plain C and double, by brute force: every cell that a ray passes, in
// order. It is the oracle for the casters of the device.
//
// The surface is where the trilinear interpolant of the samples crosses the isovalue: a point is
// inside if its value is at least the isovalue. A cell with a NaN or infinite corner is not there:
// rays pass it, and nothing is inferred across it. The volume has no walls: a ray may start inside.
#pragma once

#include "compute/reference/rays.h"
#include "volumes/volume.h"

// Where a ray crosses the planes between cells is computed with a component of its direction that
// is nearer to 0 than this replaced by this, with its sign: so every plane has a finite t.
#define RAY_LEAST 1e-10f

// A change of side along a ray.
struct reference_hit {
    double t;         // INFINITY: the ray met no surface, and the rest means nothing
    uint32_t cell[3]; // its lowest corner
    bool front;       // the ray came from lower values
};

// Writes the changes of side along the ray to `hits`, nearest first, at most `most` of them, and
// returns their number. It stops when it has as many. Only what of the ray is within the volume's
// box counts; begin and end may be infinite. Every dim of the volume is at least 2. Two changes in
// the same cell that are less than 2^-40 of the ray's way through it apart are none.
uint32_t reference_cast(
    const struct volume *volume, double iso, const struct reference_ray *ray,
    struct reference_hit *hits, uint32_t most);

// The first change of side of every ray, on all cores.
void reference_cast_all(
    const struct volume *volume, double iso, const struct reference_ray *rays, uint64_t count,
    struct reference_hit *hits);

// The unit normal at a hit, in grid units, towards lower values: minus the gradient. The gradient
// is interpolated from those of the cell's corners, which follow the rules of reference.h. If that
// vanishes, it is the gradient of the interpolant; if this vanishes, too, the normal is against the
// ray. A gradient vanishes if it is shorter than GRADIENT_VANISHES times what it was interpolated
// from.
void reference_normal(
    const struct volume *volume, const struct reference_ray *ray, const struct reference_hit *hit,
    double normal[3]);
