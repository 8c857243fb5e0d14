// The ray walks from cell to cell through the planes between them. The t of a plane is computed
// from its number, never accumulated, so two cells have the same t for the plane between them.
//
// In a cell, the interpolant along the ray is a cubic. A polynomial that is linear in each of three
// coordinates has a simple cubic in Bernstein form along a segment: its coefficients are values at
// the corners of the box that the segment's two ends span. If all four coefficients are on one
// side, so is the cubic. Otherwise it is halved until each piece has four on one side, or is tiny.
// On the face between two cells, both cells compute equal values from the same four samples. So no
// change of side is lost between cells, or counted twice.

#include "compute/reference/cast.h"

#include "compute/reference/reference.h"
#include "shaders/shared/extraction.h"

#include <assert.h>
#include <math.h>

#define PIECE_LEAST 0x1p-40 // a piece of a cubic with this size is not halved any more

enum cast_side { CAST_UNSURE, CAST_OUT, CAST_IN };

struct cast {
    const struct volume *volume;
    double iso;
    double origin[3], direction[3];
    double steps[3]; // the direction for the planes: no component is 0
    uint32_t cell[3];
    double t, exit; // where the ray enters the cell and leaves it
    // Used by reference_cast:
    struct reference_hit *hits;
    uint32_t count, most;
    // Used by reference_crossings, in place of hits; otherwise NULL:
    struct reference_crossing *crossings;
    // Used by reference_crossings and reference_places_of:
    const struct reference_contours *contours;
    uint32_t contour;
    // Used by reference_places_of:
    struct reference_places *places;
    bool ended;          // no place follows the last one
    enum cast_side side; // the last side that was sure
    double side_end;     // t up to which it was sure
    bool open;           // since then the side is not sure, between these t:
    double open_from, open_to;
};

// Where the ray crosses plane i of an axis.
static double cast_plane(const struct cast *cast, int axis, uint32_t i)
{
    return (i - cast->origin[axis]) / cast->steps[axis];
}

// Clips the ray to the volume's box. False: nothing is left.
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

// The values of the cell's corners minus the isovalue. Corner c is at (c & 1, c >> 1 & 1, c >> 2).
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

// Interpolates between a (at 0) and b (at 1), which it gives exactly.
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

// Whether the planes keep the ray's place at t, if they are moved outwards by `margin` voxels.
static bool cast_kept(const struct cast *cast, double t, double margin)
{
    const struct reference_contours *contours = cast->contours;
    bool any = false, all = true;
    for (uint32_t i = 0; i < contours->plane_count; i++) {
        const double *plane = contours->planes[i];
        double above = plane[3] + margin;
        for (int axis = 0; axis < 3; axis++) {
            above += plane[axis] * (cast->origin[axis] + cast->direction[axis] * t);
        }
        any = any || above >= 0;
        all = all && above >= 0;
    }
    return !(contours->clipped >> cast->contour & 1) || all || (contours->clip_all && any);
}

// Adds a change of side to those of the contours before, in order of t.
static void cast_insert(struct cast *cast, double t, bool front)
{
    struct reference_crossing *all = cast->crossings;
    uint32_t at = cast->count;
    for (; at > 0 && all[at - 1].hit.t > t; at--) {
        if (at < cast->most) {
            all[at] = all[at - 1];
        }
    }
    if (at < cast->most) {
        all[at] = (struct reference_crossing){
            .hit = { t, { cast->cell[0], cast->cell[1], cast->cell[2] }, front },
            .contour = cast->contour,
        };
        cast->count += cast->count < cast->most;
    }
}

static void cast_add(struct cast *cast, double t, bool front)
{
    if (cast->crossings) {
        if (cast_kept(cast, t, 0)) {
            cast_insert(cast, t, front);
        }
    } else if (cast->count < cast->most) {
        struct reference_hit *hit = &cast->hits[cast->count++];
        *hit = (struct reference_hit){ .t = t, .front = front };
        for (int axis = 0; axis < 3; axis++) {
            hit->cell[axis] = cast->cell[axis];
        }
    }
}

static void cast_halve(const double b[4], double halves[2][4])
{
    double *low = halves[0], *high = halves[1];
    const double middle = (b[1] + b[2]) / 2;
    low[0] = b[0];
    high[3] = b[3];
    low[1] = (b[0] + b[1]) / 2;
    high[2] = (b[2] + b[3]) / 2;
    low[2] = (low[1] + middle) / 2;
    high[1] = (middle + high[2]) / 2;
    low[3] = high[0] = (low[2] + high[1]) / 2;
}

// Whether no change of side is wanted from t on.
static bool cast_done(const struct cast *cast)
{
    return cast->count == cast->most &&
           (!cast->crossings || cast->crossings[cast->most - 1].hit.t <= cast->t);
}

// Adds the changes of side in a piece of the cubic, with Bernstein coefficients b. The piece begins
// at `from` and has length `size`; the ray's whole way through the cell is 0 to 1.
static void cast_cubic(struct cast *cast, const double b[4], double from, double size)
{
    const int inside = cast_inside(b, 4);
    if (inside == 0 || inside == 4 || cast_done(cast)) {
        return;
    }
    if (size <= PIECE_LEAST) {
        if ((b[0] >= 0) != (b[3] >= 0)) {
            cast_add(cast, cast_between(cast->t, cast->exit, from + size / 2), b[0] < 0);
        }
        return;
    }
    double halves[2][4];
    cast_halve(b, halves);
    cast_cubic(cast, halves[0], from, size / 2);
    cast_cubic(cast, halves[1], from + size / 2, size / 2);
}

// The cubic on the ray's way through the cell, as Bernstein coefficients.
static void cast_cubic_of(const double corners[8], const double p[2][3], double b[4])
{
    // Coefficient i is the mean of the values at the box's corners that have i coordinates of the
    // exit.
    b[0] = b[1] = b[2] = b[3] = 0;
    for (int c = 0; c < 8; c++) {
        const int x = c & 1, y = c >> 1 & 1, z = c >> 2;
        b[x + y + z] += cast_trilinear(corners, (double[]){ p[x][0], p[y][1], p[z][2] });
    }
    b[1] /= 3;
    b[2] /= 3;
}

// Finds the changes of side in the cell. Returns whether more of them are wanted.
static bool cast_cell(struct cast *cast)
{
    double corners[8], p[2][3], b[4];
    if (!cast_corners(cast->volume, cast->iso, cast->cell, corners)) {
        return true;
    }
    const int inside = cast_inside(corners, 8);
    if (inside == 0 || inside == 8) {
        return true;
    }
    cast_point(cast, cast->t, p[0]);
    cast_point(cast, cast->exit, p[1]);
    cast_cubic_of(corners, p, b);
    cast_cubic(cast, b, 0, 1);
    return !cast_done(cast);
}

// Visits the cells of the ray in order, until `go_on` returns false.
static void
cast_walk(struct cast *cast, const struct reference_ray *ray, bool (*go_on)(struct cast *cast))
{
    const uint32_t *dim = cast->volume->dim;
    assert(dim[0] >= 2 && dim[1] >= 2 && dim[2] >= 2);
    double end;
    if (!cast_enter(cast, ray, &end)) {
        return;
    }
    cast_start(cast);
    for (bool more = true; more;) {
        double t;
        const int axis = cast_next_axis(cast, &t);
        cast->exit = fmin(t, end);
        more = t < end;
        // At an edge or a corner the ray only touches some cells.
        if (cast->exit > cast->t) {
            more = go_on(cast) && more;
            cast->t = cast->exit;
        }
        if (cast->steps[axis] > 0) {
            more = more && cast->cell[axis] < dim[axis] - 2;
            cast->cell[axis]++;
        } else {
            more = more && cast->cell[axis] > 0;
            cast->cell[axis]--;
        }
    }
}

uint32_t reference_cast(
    const struct volume *volume, double iso, const struct reference_ray *ray,
    struct reference_hit *hits, uint32_t most)
{
    struct cast cast = { .volume = volume, .iso = iso, .hits = hits, .most = most };
    if (most > 0) {
        cast_walk(&cast, ray, cast_cell);
    }
    return cast.count;
}

uint32_t reference_crossings(
    const struct volume *volume, const struct reference_contours *contours,
    const struct reference_ray *ray, struct reference_crossing *out, uint32_t most)
{
    struct cast cast = { .volume = volume, .contours = contours, .crossings = out, .most = most };
    for (; most > 0 && cast.contour < contours->count; cast.contour++) {
        cast.iso = contours->isos[cast.contour];
        cast_walk(&cast, ray, cast_cell);
    }
    return cast.count;
}

// At how many of three points of a place, moved outwards by `margin`, the planes keep it.
static int
cast_kept_points(const struct cast *cast, const struct reference_place *place, double margin)
{
    return cast_kept(cast, place->from, margin) + cast_kept(cast, place->to, margin) +
           cast_kept(cast, (place->from + place->to) / 2, margin);
}

// Adds a place where the side may change, unless the planes remove it.
static void cast_add_place(struct cast *cast, struct reference_place place)
{
    struct reference_places *places = cast->places;
    if (cast_kept_points(cast, &place, REFERENCE_BESIDE) == 0) {
        return;
    }
    place.met = place.met && cast_kept_points(cast, &place, -REFERENCE_BESIDE) == 3;
    cast->ended = place.met && !(cast->contours->through >> cast->contour & 1);
    const double cells = gradient_length(cast->direction) * (place.to - place.from);
    places->touches = places->touches || !place.met || cells > REFERENCE_WIDE;
    if (!cast->ended && places->count == REFERENCE_PLACES - 1) {
        struct reference_place *last = &places->all[places->count - 1];
        last->to = place.to;
        last->front = last->front || place.front;
        last->back = last->back || place.back;
        last->met = false;
        places->touches = true;
    } else {
        places->all[places->count++] = place;
    }
}

// Ends an unsure interval at `to`. `side`: the sure side there; CAST_UNSURE: none follows.
static void cast_close(struct cast *cast, enum cast_side side, double to)
{
    const bool known = cast->side != CAST_UNSURE, met = known && side && side != cast->side;
    const struct reference_place place = {
        .from = cast->open ? cast->open_from : cast->side_end,
        .to = to,
        .front = cast->side != CAST_IN,
        .back = cast->side != CAST_OUT,
        .met = met,
    };
    if (met || cast->open) {
        cast_add_place(cast, place);
    }
    cast->open = false;
    cast->side = side;
}

// Notes the ray's side between two t. They are not before those of the last call.
static void cast_take_side(struct cast *cast, enum cast_side side, double from, double to)
{
    if (cast->ended) {
        return;
    }
    if (side == CAST_UNSURE) {
        cast->open_from = cast->open ? cast->open_from : from;
        cast->open_to = to;
        cast->open = true;
    } else {
        cast_close(cast, side, from);
        cast->side_end = to;
    }
}

// Sets the error that a position may have along each axis. Returns the error that a value may have,
// if the greatest difference between isovalue and corner is 1.
static double cast_slack(const struct cast *cast, double slack[3])
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double t = fmax(fabs(cast->t), fabs(cast->exit));
        slack[axis] =
            REFERENCE_PLACE * (fabs(cast->origin[axis]) + fabs(cast->direction[axis]) * t);
        sum += slack[axis];
    }
    return 2 * sum + REFERENCE_VALUE; // a step along an axis is a difference of 2 at most
}

// Whether the ray's position at t, which is p up to an error, is surely within the cell, or within
// one of its faces.
static bool cast_within(const struct cast *cast, const double p[3], double t)
{
    double slack[3];
    int on = 0, within = 0;
    cast_slack(cast, slack);
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t cell = cast->cell[axis];
        on += cast_plane(cast, axis, cell) == t || cast_plane(cast, axis, cell + 1) == t;
        within += p[axis] > slack[axis] && p[axis] < 1 - slack[axis];
    }
    return on <= 1 && on + within == 3;
}

// The ray's side at t, where its position is p.
static enum cast_side
cast_side_at(const struct cast *cast, const double corners[8], const double p[3], double t)
{
    double slack[3], most = 0;
    int inside = 0, count = 0;
    for (int c = 0; c < 8; c++) {
        if (p[0] != !(c & 1) && p[1] != !(c >> 1 & 1) && p[2] != !(c >> 2)) { // its weight is not 0
            most = fmax(most, fabs(corners[c]));
            inside += corners[c] >= 0;
            count++;
        }
    }
    const double value = cast_trilinear(corners, p);
    const bool one = (inside == 0 || inside == count) && cast_within(cast, p, t);
    const bool sure = one || fabs(value) > cast_slack(cast, slack) * most;
    return !sure ? CAST_UNSURE : value >= 0 ? CAST_IN : CAST_OUT;
}

// The side of a piece of the ray from p[0] to p[1] in the cell. It is sure if all pieces within the
// error of the positions have it. The value is linear in the error of each coordinate, so trying
// the largest errors is enough.
static enum cast_side
cast_side_near(const struct cast *cast, const double corners[8], const double p[2][3])
{
    double slack[3], sizes[8];
    bool in = true, out = true;
    cast_slack(cast, slack);
    for (int c = 0; c < 8; c++) {
        sizes[c] = fabs(corners[c]);
    }
    for (int way = 0; way < 8; way++) {
        double q[2][3], b[4], size[4];
        for (int axis = 0; axis < 3; axis++) {
            const double off = way >> axis & 1 ? slack[axis] : -slack[axis];
            q[0][axis] = fmin(fmax(p[0][axis] + off, 0), 1);
            q[1][axis] = fmin(fmax(p[1][axis] + off, 0), 1);
        }
        cast_cubic_of(corners, q, b);
        cast_cubic_of(sizes, q, size);
        for (int i = 0; i < 4; i++) {
            in = in && b[i] > REFERENCE_VALUE * size[i];
            out = out && b[i] < -REFERENCE_VALUE * size[i];
        }
    }
    return in ? CAST_IN : out ? CAST_OUT : CAST_UNSURE;
}

// What is known of a cell while its sides are searched.
struct cast_searched {
    double corners[8];
    double p[2][3]; // where the ray enters and leaves it
    double off;     // largest error of a value
};

// Finds the sides along a piece of the cubic; see cast_cubic for b, from and size.
static void cast_sides_of(
    struct cast *cast, const struct cast_searched *cell, const double b[4], double from,
    double size)
{
    const double least = fmin(fmin(b[0], b[1]), fmin(b[2], b[3]));
    const double most = fmax(fmax(b[0], b[1]), fmax(b[2], b[3]));
    const bool sure = least > cell->off || most < -cell->off;
    if (!sure && size > REFERENCE_NEAR) {
        double halves[2][4];
        cast_halve(b, halves);
        cast_sides_of(cast, cell, halves[0], from, size / 2);
        cast_sides_of(cast, cell, halves[1], from + size / 2, size / 2);
        return;
    }
    enum cast_side side = least > 0 ? CAST_IN : CAST_OUT;
    if (!sure && (b[0] >= 0) == (b[3] >= 0)) {
        double p[2][3];
        for (int axis = 0; axis < 3; axis++) {
            p[0][axis] = cast_between(cell->p[0][axis], cell->p[1][axis], from);
            p[1][axis] = cast_between(cell->p[0][axis], cell->p[1][axis], from + size);
        }
        side = cast_side_near(cast, cell->corners, p);
    } else if (!sure) {
        side = CAST_UNSURE;
    }
    cast_take_side(
        cast, side, cast_between(cast->t, cast->exit, from),
        cast_between(cast->t, cast->exit, from + size));
}

// Finds the sides of the ray in the cell. Returns whether the next cells are wanted.
static bool cast_cell_sides(struct cast *cast)
{
    struct cast_searched cell;
    double middle[3], b[4], slack[3], most = 0;
    if (!cast_corners(cast->volume, cast->iso, cast->cell, cell.corners)) {
        cast_close(cast, CAST_UNSURE, cast->open_to);
        return true;
    }
    cast_point(cast, cast->t, cell.p[0]);
    cast_point(cast, cast->exit, cell.p[1]);
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = (cell.p[0][axis] + cell.p[1][axis]) / 2;
    }
    for (int c = 0; c < 8; c++) {
        most = fmax(most, fabs(cell.corners[c]));
    }
    cell.off = cast_slack(cast, slack) * most;
    const int inside = cast_inside(cell.corners, 8);
    if ((inside == 0 || inside == 8) && cast_within(cast, middle, (cast->t + cast->exit) / 2)) {
        cast_take_side(cast, inside ? CAST_IN : CAST_OUT, cast->t, cast->exit);
        return !cast->ended;
    }
    cast_take_side(cast, cast_side_at(cast, cell.corners, cell.p[0], cast->t), cast->t, cast->t);
    cast_cubic_of(cell.corners, cell.p, b);
    cast_sides_of(cast, &cell, b, 0, 1);
    cast_take_side(
        cast, cast_side_at(cast, cell.corners, cell.p[1], cast->exit), cast->exit, cast->exit);
    return !cast->ended;
}

void reference_places_of(
    const struct volume *volume, const struct reference_contours *contours, uint32_t contour,
    const struct reference_ray *ray, struct reference_places *out)
{
    struct cast cast = {
        .volume = volume,
        .iso = contours->isos[contour],
        .contours = contours,
        .contour = contour,
        .places = out,
    };
    out->count = 0;
    out->touches = false;
    cast_walk(&cast, ray, cast_cell_sides);
    if (!cast.ended) {
        cast_close(&cast, CAST_UNSURE, cast.open_to);
    }
}

void reference_cast_all(
    const struct volume *volume, const struct reference_contours *contours,
    const struct reference_ray *rays, uint64_t count, struct reference_crossing *out, uint32_t most,
    uint32_t *counts, bool *touches)
{
#pragma omp parallel for schedule(dynamic, 64)
    for (uint64_t i = 0; i < count; i++) {
        counts[i] = reference_crossings(volume, contours, &rays[i], &out[i * most], most);
        touches[i] = false;
        for (uint32_t k = 0; k < contours->count && !touches[i]; k++) {
            struct reference_places places;
            reference_places_of(volume, contours, k, &rays[i], &places);
            touches[i] = places.touches;
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
