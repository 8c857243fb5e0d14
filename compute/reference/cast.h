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

// Where rounding decides what a ray meets. In its cells, where a ray is and what the value is there
// are known to so much only:
//
// - the place, along each axis: to REFERENCE_PLACE of the numbers that it is computed from;
// - the value: to what that changes it by, and to REFERENCE_VALUE of the greatest difference
//   between isovalue and corner;
// - two changes of side: not if they are nearer to each other than REFERENCE_NEAR of the ray's way
//   through the cell.
//
// The side of the ray is sure where the value is farther from the isovalue than that. It is also
// sure where no place so near has a value on the other side: all corners that count are on one.
#define REFERENCE_PLACE 0x1p-22
#define REFERENCE_VALUE 0x1p-21
#define REFERENCE_NEAR  0x1p-8

// A place where the side may change is wide if the ray is longer in it, in cells.
#define REFERENCE_WIDE 0x1p-5

#define REFERENCE_PLACES 64

// From t to t, where the ray may change its side.
struct reference_place {
    double from, to;
    bool front, back; // it may come from lower values; from greater ones
};

// All places where the ray may meet the surface, nearest first: those where its side is not sure
// but is the same before and behind; and then, if `met`, the one that it cannot miss, where its
// side changes from a sure one to the other. The first REFERENCE_PLACES - 2 are apart, all that
// follow but the last are one. `touches`: there are places of the first kind, or the last one is
// wide. So the surface touches itself there, or the ray only touches it.
struct reference_places {
    struct reference_place all[REFERENCE_PLACES];
    uint32_t count;
    bool met, touches;
};

void reference_places_of(
    const struct volume *volume, double iso, const struct reference_ray *ray,
    struct reference_places *out);

// The same, of every ray, on all cores: whether it touches.
void reference_touches_all(
    const struct volume *volume, double iso, const struct reference_ray *rays, uint64_t count,
    bool *touches);

// The unit normal at a hit, in grid units, towards lower values: minus the gradient. The gradient
// is interpolated from those of the cell's corners, which follow the rules of reference.h. If that
// vanishes, it is the gradient of the interpolant; if this vanishes, too, the normal is against the
// ray. A gradient vanishes if it is shorter than GRADIENT_VANISHES times what it was interpolated
// from.
void reference_normal(
    const struct volume *volume, const struct reference_ray *ray, const struct reference_hit *hit,
    double normal[3]);
