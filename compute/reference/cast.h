// Casts rays in plain C and double, by brute force: it searches every cell that a ray passes, in
// order. The casters of the device are compared with it.
//
// The surface is where the trilinear interpolant of the samples crosses the isovalue: a point is
// inside if its value is at least the isovalue. A cell with a NaN or infinite corner has no
// surface: rays pass it, and nothing is concluded from the sides before and behind it. The volume's
// box is no surface: a ray may start inside.
#pragma once

#include "compute/reference/rays.h"
#include "volumes/volume.h"

// Where a ray crosses the planes between cells, a component of its direction nearer to 0 than
// RAY_LEAST becomes RAY_LEAST with the same sign. So every plane has a finite t.
#define RAY_LEAST 1e-10f

// A change of side along a ray.
struct reference_hit {
    double t;         // INFINITY: the ray met no surface, and the rest means nothing
    uint32_t cell[3]; // lowest corner of the cell
    bool front;       // the ray came from lower values
};

// Writes the first `most` changes of side along the ray to `hits`, nearest first. Returns their
// number, which may be less. Only the ray within the volume's box counts; begin and end may be
// infinite. Every dim of the volume is at least 2. Two changes in a cell do not count if their
// distance is less than 2^-40 of the ray's way through the cell.
uint32_t reference_cast(
    const struct volume *volume, double iso, const struct reference_ray *ray,
    struct reference_hit *hits, uint32_t most);

#define REFERENCE_CONTOURS 8
#define REFERENCE_PLANES   3

// Several contours, and planes that cut those whose bit in `clipped` is 1. A plane keeps a place p
// if the dot product of the plane and (p, 1) is at least 0. Places stay that all planes keep; with
// clip_all, that at least one keeps.
struct reference_contours {
    double isos[REFERENCE_CONTOURS];
    uint32_t count, clipped;
    double planes[REFERENCE_PLANES][4]; // in grid units
    uint32_t plane_count;
    bool clip_all;
    uint32_t through; // bits of the contours behind which rays go on; for reference_places_of
};

// A change of side of one of several contours.
struct reference_crossing {
    struct reference_hit hit;
    uint32_t contour;
};

// As reference_cast, for several contours: those changes of side that the planes keep. Of equal t
// the lower contour comes first.
uint32_t reference_crossings(
    const struct volume *volume, const struct reference_contours *contours,
    const struct reference_ray *ray, struct reference_crossing *out, uint32_t most);

// Rounding may decide what a ray meets. Within a cell, these are known up to an error:
//
// - the position along each axis: up to REFERENCE_PLACE of the numbers that it is computed from;
// - the value: up to what the position's error changes, and REFERENCE_VALUE of the greatest
//   difference between isovalue and corner;
// - two changes of side: they are not told apart if they are nearer to each other than
//   REFERENCE_NEAR of the ray's way through the cell.
//
// The side of the ray is sure where the value differs from the isovalue by more than the error. It
// is also sure where all corners that matter within the position's error are on one side. Whether a
// plane keeps a place is not sure if the place is nearer to it than REFERENCE_BESIDE, in voxels.
#define REFERENCE_PLACE  0x1p-22
#define REFERENCE_VALUE  0x1p-21
#define REFERENCE_NEAR   0x1p-8
#define REFERENCE_BESIDE 0x1p-9

// A place where the side may change is wide if the ray's length in it is more cells than this.
#define REFERENCE_WIDE 0x1p-5

#define REFERENCE_PLACES 128

// An interval of t in which the ray may change its side.
struct reference_place {
    double from, to;
    bool front, back; // the ray may come from lower values; from greater values
    bool met;         // the ray cannot miss it
};

// All places where the ray may meet a contour, nearest first. In places that are `met` one sure
// side changes to the other, and the planes surely keep them. In the others the side is not sure,
// but is the same before and behind; or perhaps a plane removes them. The first place that is `met`
// is the last one, unless the contour's bit in `through` is 1. Places after the first
// REFERENCE_PLACES - 2 are joined into one that is not `met`, except the last. `touches`: a place
// is not `met`, or is wide: the surface touches itself there, or the ray only touches it.
struct reference_places {
    struct reference_place all[REFERENCE_PLACES];
    uint32_t count;
    bool touches;
};

void reference_places_of(
    const struct volume *volume, const struct reference_contours *contours, uint32_t contour,
    const struct reference_ray *ray, struct reference_places *out);

// Calls reference_crossings for every ray, on all cores. Ray i has counts[i] crossings, from
// out[i * most] on. touches[i]: one of its contours `touches`.
void reference_cast_all(
    const struct volume *volume, const struct reference_contours *contours,
    const struct reference_ray *rays, uint64_t count, struct reference_crossing *out, uint32_t most,
    uint32_t *counts, bool *touches);

// The unit normal at a hit, in grid units, towards lower values: minus the gradient. The gradient
// is interpolated from the gradients at the cell's corners (see reference.h). If it vanishes, the
// gradient of the interpolant is used. If both vanish, the normal points against the ray. A
// gradient vanishes if it is shorter than GRADIENT_VANISHES times the longest of what it was
// interpolated from.
void reference_normal(
    const struct volume *volume, const struct reference_ray *ray, const struct reference_hit *hit,
    double normal[3]);
