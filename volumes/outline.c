#include "volumes/cubes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The first and last cube of a row of cubes along an axis that the isovalue crosses.
struct row_ends {
    uint32_t first, last; // first > last: no cube is crossed
};

struct outline {
    const struct cubes *cubes;
    const uint32_t *dim; // samples along x, y, z
    double iso;
    struct row_ends *ends[3];
    float (*points)[3];
    size_t count;
};

static bool outline_crosses(const float range[2], double iso)
{
    return (double)range[0] < iso && iso <= (double)range[1];
}

static size_t outline_rows(const struct cubes *cubes, int axis)
{
    return (size_t)cubes->dim[(axis + 1) % 3] * cubes->dim[(axis + 2) % 3];
}

static size_t outline_row_of(const struct cubes *cubes, int axis, const uint32_t at[3])
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    return (size_t)at[b] * cubes->dim[a] + at[a];
}

static const float *outline_range(const struct cubes *cubes, const uint32_t at[3])
{
    return cubes->range[((size_t)at[2] * cubes->dim[1] + at[1]) * cubes->dim[0] + at[0]];
}

// Finds the ends of all rows. Returns how many rows are not empty.
static size_t outline_find_ends(struct outline *outline)
{
    const struct cubes *cubes = outline->cubes;
    size_t rows = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < outline_rows(cubes, axis); i++) {
            outline->ends[axis][i] = (struct row_ends){ 1, 0 };
        }
    }
    const float(*range)[2] = (const float(*)[2])cubes->range;
    uint32_t at[3];
    for (at[2] = 0; at[2] < cubes->dim[2]; at[2]++) {
        for (at[1] = 0; at[1] < cubes->dim[1]; at[1]++) {
            for (at[0] = 0; at[0] < cubes->dim[0]; at[0]++, range++) {
                if (!outline_crosses(*range, outline->iso)) {
                    continue;
                }
                for (int axis = 0; axis < 3; axis++) {
                    struct row_ends *ends = &outline->ends[axis][outline_row_of(cubes, axis, at)];
                    if (ends->first > ends->last) {
                        ends->first = at[axis];
                        rows++;
                    }
                    ends->last = at[axis];
                }
            }
        }
    }
    return rows;
}

// How far the surface stays away from a face of a crossed cube, as a share of its edge. The cube
// `beyond` the face shares the samples of the face. If it is not crossed, all of them lie on one
// side of the isovalue. Then the extreme of the crossed cube on the other side lies at the far end
// if samples change evenly.
static double outline_inset(const float own[2], const float beyond[2], double iso)
{
    if ((double)beyond[1] < iso && beyond[0] <= beyond[1]) {
        return (iso - (double)beyond[1]) / ((double)own[1] - (double)beyond[1]);
    }
    if ((double)beyond[0] >= iso && beyond[0] <= beyond[1]) {
        return ((double)beyond[0] - iso) / ((double)beyond[0] - (double)own[0]);
    }
    return 0;
}

// The box in a crossed cube that holds the surface.
struct outline_box {
    double ends[3][2];
    // cut: the surface ends there, as the cube beyond is not crossed. border: no cube is beyond.
    bool cut[3][2], border[3][2];
};

static void
outline_box_of(const struct outline *outline, const uint32_t at[3], struct outline_box *out)
{
    const struct cubes *cubes = outline->cubes;
    const float *own = outline_range(cubes, at);
    for (int axis = 0; axis < 3; axis++) {
        const double last = outline->dim[axis] - 1;
        const double low = (double)at[axis] * cubes->edge, high = fmin(low + cubes->edge, last);
        double inset[2] = { 0 };
        for (int side = 0; side < 2; side++) {
            uint32_t beside[3] = { at[0], at[1], at[2] };
            out->border[axis][side] = side ? at[axis] + 1 == cubes->dim[axis] : at[axis] == 0;
            if (!out->border[axis][side]) {
                beside[axis] = side ? at[axis] + 1 : at[axis] - 1;
                inset[side] = outline_inset(own, outline_range(cubes, beside), outline->iso);
            }
            out->cut[axis][side] = inset[side] > 0;
        }
        double *ends = out->ends[axis];
        ends[0] = low + inset[0] * (high - low);
        ends[1] = high - inset[1] * (high - low);
        if (ends[0] > ends[1]) {
            ends[0] = ends[1] = (ends[0] + ends[1]) / 2;
        }
    }
}

// Adds the points of one cube. `box` is the box in the cube that holds the surface. If the surface
// ends along several axes at once, it rarely reaches the corner of the box. So each point lies at
// the end along one axis, and is moved inwards along the others, by ROUND of the box. Along an axis
// on which the surface continues in the next cube, half the box is enough: that cube adds points,
// too.
static void outline_put(struct outline *outline, const uint32_t at[3])
{
    static const double ROUND = 2 / 3.0;
    struct outline_box box;
    outline_box_of(outline, at, &box);
    for (int corner = 0; corner < 8; corner++) {
        float whole[3], rounded[3];
        int cuts = 0;
        for (int axis = 0; axis < 3; axis++) {
            const int side = corner >> axis & 1;
            const double here = box.ends[axis][side], other = box.ends[axis][!side];
            const bool cut = box.cut[axis][side], border = box.border[axis][side];
            const double inwards = cut ? ROUND : border ? 0 : 0.5;
            whole[axis] = (float)here;
            rounded[axis] = (float)(here + inwards * (other - here));
            cuts += cut;
        }
        for (int axis = 0; axis < 3; axis++) {
            // One point for each axis along which the surface ends; one where it ends along none.
            if (cuts > 0 ? box.cut[axis][corner >> axis & 1] : axis == 0) {
                float *point = outline->points[outline->count++];
                memcpy(point, rounded, sizeof rounded);
                if (cuts > 0) {
                    point[axis] = whole[axis];
                }
            }
        }
    }
}

static void outline_put_ends(struct outline *outline)
{
    const struct cubes *cubes = outline->cubes;
    for (int axis = 0; axis < 3; axis++) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        const struct row_ends *ends = outline->ends[axis];
        for (uint32_t j = 0; j < cubes->dim[b]; j++) {
            for (uint32_t i = 0; i < cubes->dim[a]; i++, ends++) {
                uint32_t at[3];
                at[a] = i;
                at[b] = j;
                if (ends->first <= ends->last) {
                    at[axis] = ends->first;
                    outline_put(outline, at);
                }
                if (ends->first < ends->last) {
                    at[axis] = ends->last;
                    outline_put(outline, at);
                }
            }
        }
    }
}

size_t
cubes_outline(const struct cubes *cubes, const uint32_t dim[3], double iso, float (**points)[3])
{
    struct outline outline = { .cubes = cubes, .dim = dim, .iso = iso };
    bool has = true;
    for (int axis = 0; axis < 3; axis++) {
        outline.ends[axis] = malloc(outline_rows(cubes, axis) * sizeof *outline.ends[axis]);
        has = has && outline.ends[axis];
    }
    const size_t rows = has ? outline_find_ends(&outline) : 0;
    if (rows > 0) {
        outline.points = malloc(rows * 2 * 24 * sizeof *outline.points);
    }
    if (outline.points) {
        outline_put_ends(&outline);
    }
    for (int axis = 0; axis < 3; axis++) {
        free(outline.ends[axis]);
    }
    *points = outline.points;
    return outline.count;
}
