#include "compute/mesh/mesh_place.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TOLERANCE 1e-3 // of the least spacing

void mesh_place_apply(const double matrix[9], const double v[3], double out[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = matrix[3 * r] * v[0] + matrix[3 * r + 1] * v[1] + matrix[3 * r + 2] * v[2];
    }
}

static void place_cofactors(const double m[9], double out[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            out[3 * r + c] = m[3 * r1 + c1] * m[3 * r2 + c2] - m[3 * r1 + c2] * m[3 * r2 + c1];
        }
    }
}

// The largest absolute coordinate of the corners of the volume's box.
static double place_farthest(const struct mesh_place *place, const uint32_t dim[3])
{
    double farthest = 0;
    for (int corner = 0; corner < 8; corner++) {
        double grid[3], offset[3];
        for (int k = 0; k < 3; k++) {
            grid[k] = corner >> k & 1 ? dim[k] - 1.0 : 0;
        }
        mesh_place_apply(place->affine, grid, offset);
        for (int k = 0; k < 3; k++) {
            farthest = fmax(farthest, fabs(place->origin[k] + offset[k]));
        }
    }
    return farthest;
}

// Half the distance between the floats near `value`. Infinite beyond the largest float.
static double place_rounding(double value)
{
    int exponent; // value < 2^exponent
    frexp(value, &exponent);
    exponent = exponent > FLT_MIN_EXP ? exponent : FLT_MIN_EXP;
    return value > (double)FLT_MAX ? (double)INFINITY : ldexp(0.5, exponent - FLT_MANT_DIG);
}

struct mesh_place mesh_place_of(const struct volume *volume)
{
    struct mesh_place place = { 0 };
    if (!volume) {
        return place;
    }
    place.known = true;
    place.frame = volume->frame;
    for (int i = 0; i < 9; i++) {
        place.affine[i] = volume->direction[i] * volume->spacing[i % 3];
    }
    memcpy(place.origin, volume->origin, sizeof place.origin);
    place_cofactors(place.affine, place.normals);
    place.determinant = place.affine[0] * place.normals[0] + place.affine[1] * place.normals[1] +
                        place.affine[2] * place.normals[2];
    const double middle[3] = {
        (volume->dim[0] - 1.0) / 2,
        (volume->dim[1] - 1.0) / 2,
        (volume->dim[2] - 1.0) / 2,
    };
    mesh_place_apply(place.affine, middle, place.half);
    place.least = fmin(fmin(volume->spacing[0], volume->spacing[1]), volume->spacing[2]);
    place.rounding = place_rounding(place_farthest(&place, volume->dim));
    place.doubles = place.rounding > TOLERANCE * place.least;
    return place;
}

void mesh_place_position(const struct mesh_place *place, const float grid[3], double out[3])
{
    const double position[3] = { grid[0], grid[1], grid[2] };
    if (!place->known) {
        memcpy(out, position, sizeof position);
        return;
    }
    mesh_place_apply(place->affine, position, out);
    for (int k = 0; k < 3; k++) {
        out[k] = place->origin[k] + out[k];
    }
}

void mesh_place_normal(const struct mesh_place *place, const float grid[3], float out[3])
{
    double normal[3];
    if (!place->known) {
        memmove(out, grid, 3 * sizeof *out);
        return;
    }
    mesh_place_apply(place->normals, (const double[3]){ grid[0], grid[1], grid[2] }, normal);
    // The cofactors have the sign of the determinant; their length does not matter.
    const double size =
        hypot(hypot(normal[0], normal[1]), normal[2]) * (place->determinant < 0 ? -1 : 1);
    for (int k = 0; k < 3; k++) {
        out[k] = size != 0 ? (float)(normal[k] / size) : 0;
    }
}
