#include "compute/casting/rays.h"

#include <math.h>

void rays_invert(const double m[4][4], double rows[3][3])
{
    double determinant = 0;
    for (int c = 0; c < 3; c++) {
        const double *u = m[(c + 1) % 3], *v = m[(c + 2) % 3];
        for (int r = 0; r < 3; r++) {
            const int s = (r + 1) % 3, t = (r + 2) % 3;
            rows[c][r] = u[s] * v[t] - u[t] * v[s];
        }
    }
    for (int r = 0; r < 3; r++) {
        determinant += m[0][r] * rows[0][r];
    }
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            rows[c][r] /= determinant;
        }
    }
}

// Half the diagonal of the volume's box in view space, and the depth of its centre.
static double rays_radius(const double m[4][4], const uint32_t dim[3], double *depth)
{
    double radius = 0, centre = m[3][2];
    for (int c = 0; c < 3; c++) {
        centre += m[c][2] * (dim[c] - 1) / 2;
    }
    for (int corner = 0; corner < 4; corner++) {
        double square = 0;
        for (int r = 0; r < 3; r++) {
            double sum = 0;
            for (int c = 0; c < 3; c++) {
                sum += m[c][r] * (dim[c] - 1) / 2 * (corner >> c & 1 ? 1 : -1);
            }
            square += sum * sum;
        }
        radius = fmax(radius, sqrt(square));
    }
    *depth = -centre;
    return radius;
}

void rays_of(const struct rays_camera *camera, const uint32_t dim[3], struct rays *out)
{
    double back[3][3], depth;
    rays_invert(camera->to_view, back);
    const double radius = rays_radius(camera->to_view, dim, &depth);
    // Distance of the plane of the starts. It stays in front of an eye near the volume's centre.
    const double plane = camera->ortho ? depth : fmax(depth, radius / 2);
    const double far = camera->ortho ? 1 : plane;
    const double right = camera->half_width * far, up = camera->half_height * far;
    const double first[3] = { -right, up, -plane }; // the corner of pixel (0, 0)
    // How far t = 1 goes: the radius if orthographic, otherwise the distance to the plane.
    const double step = camera->ortho ? radius : plane;
    for (int i = 0; i < 3; i++) {
        double anchor = 0, eye = 0;
        for (int r = 0; r < 3; r++) {
            anchor += back[i][r] * (first[r] - camera->to_view[3][r]);
            eye -= back[i][r] * camera->to_view[3][r];
        }
        out->anchor[i] = (float)anchor;
        out->across[i] = (float)(back[i][0] * 2 * right / camera->width);
        out->down[i] = (float)(back[i][1] * -2 * up / camera->height);
        out->eye[i] = (float)(camera->ortho ? back[i][2] * step : eye);
    }
    out->perspective = camera->ortho ? 0 : 1;
    out->begin = (float)((camera->near_plane - plane) / step);
}

void rays_light_of(
    const struct rays_camera *camera, const double towards[3], double width, struct rays_light *out)
{
    // Two unit vectors that are perpendicular to `towards` and to each other.
    const double flat = hypot(towards[0], towards[1]);
    const double across[3] = { towards[1] / flat, -towards[0] / flat, 0 };
    const double down[3] = { towards[0] * towards[2] / flat, towards[1] * towards[2] / flat,
                             -flat };
    double back[3][3], cells = 0;
    rays_invert(camera->to_view, back);
    *out = (struct rays_light){ 0 };
    for (int i = 0; i < 3; i++) {
        for (int r = 0; r < 3; r++) {
            out->towards[i] += (float)(back[i][r] * towards[r]);
            out->across[i] += (float)(back[i][r] * across[r] * width);
            out->down[i] += (float)(back[i][r] * down[r] * width);
        }
        cells += fabs((double)out->towards[i]);
    }
    out->reach = (float)(RAYS_LIGHT_CELLS / cells);
}

bool rays_at(
    const struct rays *rays, const uint32_t dim[3], uint32_t x, uint32_t y, struct ray *out)
{
    const float column = (float)x + 0.5f, row = (float)y + 0.5f;
    out->begin = rays->begin;
    out->end = INFINITY;
    for (int i = 0; i < 3; i++) {
        const float part = rays->anchor[i] + column * rays->across[i];
        const float start = part + row * rays->down[i];
        float direction = start * rays->perspective - rays->eye[i];
        direction = fabsf(direction) < 1e-10f ? 1e-10f : direction;
        const float inverse = 1 / direction;
        const float zero = (0 - start) * inverse, last = ((float)(dim[i] - 1) - start) * inverse;
        out->start[i] = start;
        out->direction[i] = direction;
        out->begin = fmaxf(out->begin, direction > 0 ? zero : last);
        out->end = fminf(out->end, direction > 0 ? last : zero);
    }
    return out->begin < out->end;
}
