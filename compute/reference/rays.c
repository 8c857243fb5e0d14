#include "compute/reference/rays.h"

#include <math.h>

void reference_model_of(
    const struct volume *volume, const float axes[3][3], struct reference_model *out)
{
    double half = 0; // of the box's longest diagonal
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out->to[c][r] = 0;
            for (int k = 0; k < 3; k++) {
                out->to[c][r] +=
                    (double)axes[k][r] * volume->direction[3 * k + c] * volume->spacing[c];
            }
        }
    }
    for (int diagonal = 0; diagonal < 4; diagonal++) {
        double v[3];
        for (int r = 0; r < 3; r++) {
            v[r] = 0;
            for (int c = 0; c < 3; c++) {
                v[r] += out->to[c][r] * (volume->dim[c] - 1) / (diagonal >> c & 1 ? -2 : 2);
            }
        }
        half = fmax(half, hypot(hypot(v[0], v[1]), v[2]));
    }
    for (int r = 0; r < 3; r++) {
        out->to[3][r] = 0;
        for (int c = 0; c < 3; c++) {
            out->to[c][r] /= half;
            out->to[3][r] -= out->to[c][r] * (volume->dim[c] - 1) / 2;
        }
    }
}

static void reference_cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        out[i] = a[k] * b[l] - a[l] * b[k];
    }
}

static double reference_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Rotates v by a quaternion: v + 2 w (u x v) + 2 u x (u x v), where u is its vector, w the rest.
static void reference_turn(const double q[4], const double v[3], double out[3])
{
    const double square = reference_dot(q, q) + q[3] * q[3];
    double once[3], twice[3];
    reference_cross(q, v, once);
    reference_cross(q, once, twice);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + 2 * (q[3] * once[i] + twice[i]) / square;
    }
}

// Converts the vector v from the scene to grid units, by Cramer's rule.
static void reference_back(const struct reference_model *model, const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        double normal[3]; // perpendicular to the other two axes
        reference_cross(model->to[(i + 1) % 3], model->to[(i + 2) % 3], normal);
        out[i] = reference_dot(normal, v) / reference_dot(normal, model->to[i]);
    }
}

void reference_ray_of(
    const struct reference_camera *camera, const struct reference_model *model, double x, double y,
    struct reference_ray *out)
{
    // Start and direction in the camera's own axes. At distance 1 a pixel's side has length `step`.
    const double step = 2 * camera->slope / camera->height;
    const double right = step * (x - camera->width / 2.0), up = step * (camera->height / 2.0 - y);
    const double aside = camera->ortho ? camera->distance : 0, ahead = camera->ortho ? 0 : 1;
    double start[3], direction[3];
    reference_turn(
        camera->orientation, (double[]){ right * aside, up * aside, camera->distance }, start);
    reference_turn(camera->orientation, (double[]){ right * ahead, up * ahead, -1 }, direction);
    for (int r = 0; r < 3; r++) {
        start[r] += camera->target[r] - model->to[3][r];
    }
    reference_back(model, start, out->start);
    reference_back(model, direction, out->direction);
    out->begin = camera->ortho ? -INFINITY : 0;
    out->end = INFINITY;
}
