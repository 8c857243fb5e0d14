#include "app/settings/placement.h"

#include <math.h>
#include <string.h>

const char *up_name(enum up up)
{
    static const char *const names[UPS] = { "+y", "+z", "+x", "-y", "-z", "-x" };
    return names[up];
}

enum up up_of(const struct volume *volume)
{
    return volume->frame == VOLUME_FRAME_UNSAID ? UP_Y : UP_Z;
}

// Rows of the rotations that turn the up axis to z: scene axis r is volume axis `axis[r]`, times
// `sign[r]`. With y up the front view looks along -z with x to the right, as other viewers show raw
// volumes.
static const struct {
    int axis[3];
    double sign[3];
} turns[UPS] = {
    [UP_Y] = { { 0, 2, 1 }, { 1, -1, 1 } },        [UP_Z] = { { 0, 1, 2 }, { 1, 1, 1 } },
    [UP_X] = { { 1, 2, 0 }, { 1, 1, 1 } },         [UP_MINUS_Y] = { { 0, 2, 1 }, { 1, 1, -1 } },
    [UP_MINUS_Z] = { { 0, 1, 2 }, { 1, -1, -1 } }, [UP_MINUS_X] = { { 1, 2, 0 }, { 1, -1, -1 } },
};

void placement_of(const struct volume *volume, enum up up, struct placement *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->dim, volume->dim, sizeof out->dim);

    for (int r = 0; r < 3; r++)
        out->axes[turns[up].axis[r]][r] = (float)turns[up].sign[r];

    // Columns of the affine's linear part. The origin is not needed, because the scene is centred
    // on the box.
    double a[3][3], half[3];
    for (int c = 0; c < 3; c++) {
        half[c] = (volume->dim[c] - 1) / 2.0;
        for (int r = 0; r < 3; r++)
            a[c][r] = turns[up].sign[r] * volume->direction[3 * turns[up].axis[r] + c] *
                      volume->spacing[c];
    }
    for (int r = 0; r < 3; r++) {
        out->world[3][r] = volume->origin[r];
        for (int c = 0; c < 3; c++) {
            out->world[c][r] = volume->direction[3 * r + c] * volume->spacing[c];
        }
    }
    double farthest = 0;
    for (int corner = 0; corner < 8; corner++) {
        double square = 0;
        for (int r = 0; r < 3; r++) {
            double sum = 0;
            for (int c = 0; c < 3; c++)
                sum += a[c][r] * (corner >> c & 1 ? half[c] : -half[c]);
            square += sum * sum;
        }
        farthest = fmax(farthest, sqrt(square));
    }
    out->units = farthest > 0 ? farthest : 1;
    for (int r = 0; r < 3; r++) {
        out->centre[r] = volume->origin[r];
        for (int c = 0; c < 3; c++)
            out->centre[r] += volume->direction[3 * r + c] * volume->spacing[c] * half[c];
    }
    const double scale = 1 / out->units;
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            a[c][r] *= scale;
            out->model[c][r] = (float)a[c][r];
            out->model[3][r] -= (float)(a[c][r] * half[c]);
        }
    }
    out->model[3][3] = 1;
    for (int corner = 0; corner < 8; corner++) {
        for (int r = 0; r < 3; r++) {
            double sum = 0;
            for (int c = 0; c < 3; c++)
                sum += a[c][r] * (corner >> c & 1 ? half[c] : -half[c]);
            out->corners[corner][r] = (float)sum;
        }
    }

    // The cofactors are the inverse transpose times the determinant. Their sign matters. Their size
    // does not (the shader normalises), but it is scaled to about 1 before they become floats.
    double largest = 0, cofactor[3][3];
    for (int c = 0; c < 3; c++) {
        const double *u = a[(c + 1) % 3], *v = a[(c + 2) % 3];
        for (int r = 0; r < 3; r++) {
            const int s = (r + 1) % 3, t = (r + 2) % 3;
            cofactor[c][r] = u[s] * v[t] - u[t] * v[s];
            largest = fmax(largest, fabs(cofactor[c][r]));
        }
    }
    double determinant = 0;
    for (int r = 0; r < 3; r++)
        determinant += a[0][r] * cofactor[0][r];
    out->mirrored = determinant < 0;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            out->normal[c][r] =
                (float)(cofactor[c][r] / (largest > 0 ? largest : 1) * (out->mirrored ? -1 : 1));
}
