// The ray walks from cell to cell through the planes between them. The t of a plane is computed
// from its number, never accumulated, so two cells have the same t for the plane between them.
//
// In a cell, the interpolant along the ray is a cubic. A polynomial that is linear in each of three
// coordinates has a simple cubic in Bernstein form along a segment: its coefficients are values at
// the corners of the box that the segment's two ends span. If all four coefficients are on one
// side, so is the cubic. Otherwise it is halved until each piece has four on one side, or is tiny.
// On the face between two cells both compute the same number from the same four samples. So no
// change of side is lost between cells, or counted twice.

#include "compute/reference/cast.h"

#include "compute/reference/gradient.h"
#include "shaders/shared/extraction.h"

#include <assert.h>
#include <math.h>

#define PIECE_LEAST 0x1p-40 // of a cubic: it is not halved any more

struct cast {
    const struct volume *volume;
    double iso;
    double origin[3], direction[3];
    double steps[3]; // the direction for the planes: no component is 0
    uint32_t cell[3];
    double t, exit; // where the ray enters the cell and leaves it
    struct reference_hit *hits;
    uint32_t count, most;
};

// Where the ray crosses plane i of an axis.
static double cast_plane(const struct cast *cast, int axis, uint32_t i)
{
    return (i - cast->origin[axis]) / cast->steps[axis];
}

// The part of the ray in the volume's box; false: none.
static bool cast_enter(struct cast *cast, const struct reference_ray *ray, double *end)
{
    cast->t = ray->begin;
    *end = ray->end;
    for (int axis = 0; axis < 3; axis++) {
        const double d = ray->direction[axis];
        cast->origin[axis] = ray->start[axis];
        cast->direction[axis] = d;
        cast->steps[axis] = fabs(d) < RAY_LEAST ? copysign(RAY_LEAST, d) : d;
        const double a = cast_plane(cast, axis, 0);
        const double b = cast_plane(cast, axis, cast->volume->dim[axis] - 1);
        cast->t = fmax(cast->t, fmin(a, b));
        *end = fmin(*end, fmax(a, b));
    }
    return cast->t < *end;
}

// The cell that the ray is in just after t. Rounding may put the point on the wrong side of a
// plane; the planes decide.
static void cast_start(struct cast *cast)
{
    for (int axis = 0; axis < 3; axis++) {
        const double at = cast->origin[axis] + cast->direction[axis] * cast->t;
        const uint32_t last = cast->volume->dim[axis] - 2;
        uint32_t i = (uint32_t)fmin(fmax(floor(at), 0), last);
        if (cast->steps[axis] > 0) {
            while (i < last && cast_plane(cast, axis, i + 1) <= cast->t) {
                i++;
            }
            while (i > 0 && cast_plane(cast, axis, i) > cast->t) {
                i--;
            }
        } else {
            while (i > 0 && cast_plane(cast, axis, i) <= cast->t) {
                i--;
            }
            while (i < last && cast_plane(cast, axis, i + 1) > cast->t) {
                i++;
            }
        }
        cast->cell[axis] = i;
    }
}

// The axis whose plane the ray crosses next, x before y before z.
static int cast_next_axis(const struct cast *cast, double *t)
{
    int next = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double at =
            cast_plane(cast, axis, cast->cell[axis] + (cast->steps[axis] > 0 ? 1 : 0));
        if (axis == 0 || at < *t) {
            next = axis;
            *t = at;
        }
    }
    return next;
}

// The ray's point at t within the cell: 0 to 1 along each axis, and exactly 0 or 1 on a plane.
static void cast_point(const struct cast *cast, double t, double p[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t cell = cast->cell[axis];
        if (cast_plane(cast, axis, cell) == t) {
            p[axis] = 0;
        } else if (cast_plane(cast, axis, cell + 1) == t) {
            p[axis] = 1;
        } else {
            const double at = cast->origin[axis] + cast->direction[axis] * t - cell;
            p[axis] = fmin(fmax(at, 0), 1);
        }
    }
}

// The values of the cell's corners above the isovalue. Corner c is at (c & 1, c >> 1 & 1, c >> 2).
// False: one is not finite.
static bool
cast_corners(const struct volume *volume, double iso, const uint32_t cell[3], double corners[8])
{
    for (int c = 0; c < 8; c++) {
        const double value =
            volume_sample(volume, cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2));
        corners[c] = value - iso;
        if (!isfinite(value)) {
            return false;
        }
    }
    return true;
}

// Gives a and b exactly at 0 and 1.
static double cast_between(double a, double b, double at)
{
    return a * (1 - at) + b * at;
}

// The interpolant of the corners' values at p.
static double cast_trilinear(const double corners[8], const double p[3])
{
    double line[4];
    for (int i = 0; i < 4; i++) {
        line[i] = cast_between(corners[2 * i], corners[2 * i + 1], p[0]);
    }
    return cast_between(
        cast_between(line[0], line[1], p[1]), cast_between(line[2], line[3], p[1]), p[2]);
}

// The number of values that are not below 0.
static int cast_inside(const double *values, int count)
{
    int inside = 0;
    for (int i = 0; i < count; i++) {
        inside += values[i] >= 0;
    }
    return inside;
}

static void cast_add(struct cast *cast, double t, bool front)
{
    if (cast->count < cast->most) {
        struct reference_hit *hit = &cast->hits[cast->count++];
        *hit = (struct reference_hit){ .t = t, .front = front };
        for (int axis = 0; axis < 3; axis++) {
            hit->cell[axis] = cast->cell[axis];
        }
    }
}

// Adds the changes of side of a cubic with Bernstein coefficients b, which is `size` of the way
// through the cell, and begins at `from` of it.
static void cast_cubic(struct cast *cast, const double b[4], double from, double size)
{
    const int inside = cast_inside(b, 4);
    if (inside == 0 || inside == 4 || cast->count == cast->most) {
        return;
    }
    if (size <= PIECE_LEAST) {
        if ((b[0] >= 0) != (b[3] >= 0)) {
            cast_add(cast, cast_between(cast->t, cast->exit, from + size / 2), b[0] < 0);
        }
        return;
    }
    const double middle = (b[1] + b[2]) / 2;
    double low[4] = { b[0], (b[0] + b[1]) / 2 }, high[4] = { [2] = (b[2] + b[3]) / 2, [3] = b[3] };
    low[2] = (low[1] + middle) / 2;
    high[1] = (middle + high[2]) / 2;
    low[3] = high[0] = (low[2] + high[1]) / 2;
    cast_cubic(cast, low, from, size / 2);
    cast_cubic(cast, high, from + size / 2, size / 2);
}

static void cast_cell(struct cast *cast)
{
    double corners[8], p[2][3];
    if (!cast_corners(cast->volume, cast->iso, cast->cell, corners)) {
        return;
    }
    const int inside = cast_inside(corners, 8);
    if (inside == 0 || inside == 8) {
        return;
    }
    cast_point(cast, cast->t, p[0]);
    cast_point(cast, cast->exit, p[1]);
    // Coefficient i is the mean of the values at the box's corners that have i coordinates of the
    // exit.
    double b[4] = { 0 };
    for (int c = 0; c < 8; c++) {
        const int x = c & 1, y = c >> 1 & 1, z = c >> 2;
        b[x + y + z] += cast_trilinear(corners, (double[]){ p[x][0], p[y][1], p[z][2] });
    }
    b[1] /= 3;
    b[2] /= 3;
    cast_cubic(cast, b, 0, 1);
}

uint32_t reference_cast(
    const struct volume *volume, double iso, const struct reference_ray *ray,
    struct reference_hit *hits, uint32_t most)
{
    assert(volume->dim[0] >= 2 && volume->dim[1] >= 2 && volume->dim[2] >= 2);
    struct cast cast = { .volume = volume, .iso = iso, .hits = hits, .most = most };
    double end;
    if (!cast_enter(&cast, ray, &end)) {
        return 0;
    }
    cast_start(&cast);
    for (bool more = true; more && cast.count < most;) {
        double t;
        const int axis = cast_next_axis(&cast, &t);
        cast.exit = fmin(t, end);
        // At an edge or a corner the ray only touches some cells.
        if (cast.exit > cast.t) {
            cast_cell(&cast);
            cast.t = cast.exit;
        }
        if (cast.steps[axis] > 0) {
            more = t < end && cast.cell[axis] < volume->dim[axis] - 2;
            cast.cell[axis]++;
        } else {
            more = t < end && cast.cell[axis] > 0;
            cast.cell[axis]--;
        }
    }
    return cast.count;
}

void reference_cast_all(
    const struct volume *volume, double iso, const struct reference_ray *rays, uint64_t count,
    struct reference_hit *hits)
{
#pragma omp parallel for schedule(dynamic, 64)
    for (uint64_t i = 0; i < count; i++) {
        if (reference_cast(volume, iso, &rays[i], &hits[i], 1) == 0) {
            hits[i] = (struct reference_hit){ .t = INFINITY };
        }
    }
}

// The gradient of the interpolant at p in a cell; false: it vanishes.
static bool cast_slope(const double corners[8], const double p[3], double slope[3])
{
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        double steps[8];
        for (int c = 0; c < 8; c++) {
            steps[c] = corners[c | 1 << axis] - corners[c & ~(1 << axis)];
            most = fmax(most, fabs(steps[c]));
        }
        slope[axis] = cast_trilinear(steps, p);
    }
    return gradient_length(slope) > GRADIENT_VANISHES * most;
}

// The mean of the corners' gradients at p; false: it vanishes.
static bool cast_gradient(
    const struct volume *volume, const uint32_t cell[3], const double p[3], double slope[3])
{
    double gradients[3][8], most = 0;
    for (int c = 0; c < 8; c++) {
        const uint32_t at[3] = { cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2) };
        double gradient[3];
        gradient_at(volume, at, gradient);
        most = fmax(most, gradient_length(gradient));
        for (int axis = 0; axis < 3; axis++) {
            gradients[axis][c] = gradient[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        slope[axis] = cast_trilinear(gradients[axis], p);
    }
    return gradient_length(slope) > GRADIENT_VANISHES * most;
}

void reference_normal(
    const struct volume *volume, const struct reference_ray *ray, const struct reference_hit *hit,
    double normal[3])
{
    double p[3], corners[8], slope[3];
    for (int axis = 0; axis < 3; axis++) {
        const double at = ray->start[axis] + ray->direction[axis] * hit->t - hit->cell[axis];
        p[axis] = fmin(fmax(at, 0), 1);
    }
    cast_corners(volume, 0, hit->cell, corners);
    if (!cast_gradient(volume, hit->cell, p, slope) && !cast_slope(corners, p, slope)) {
        for (int axis = 0; axis < 3; axis++) {
            slope[axis] = ray->direction[axis];
        }
    }
    const double length = gradient_length(slope);
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = -slope[axis] / length;
    }
}
