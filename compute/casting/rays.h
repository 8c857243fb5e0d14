// The rays of a picture: one through the centre of each pixel, in grid units (samples at integers).
#pragma once

#include "shaders/shared/casting.h"

#include <stdbool.h>
#include <stdint.h>

// How samples are shown in grey.
struct greys {
    double black, white; // the samples that are black and white
    bool nearest;        // the nearest sample; false: interpolated samples
};

// The camera of the picture.
struct rays_camera {
    double to_view[4][4]; // grid units to view space, column-major, affine; the eye looks along -z
    // Half the width and height of the visible area in view space; with perspective, at distance 1.
    // In the picture y points down, in view space up.
    double half_width, half_height;
    bool ortho;
    double near_plane;      // distance from the eye; may be negative if orthographic
    uint32_t width, height; // pixels
};

// All rays of a picture. The ray of pixel (x, y) starts at `anchor + (x + 1/2) * across + (y + 1/2)
// * down`, on a plane near the volume's centre that faces the camera. Its direction is from the eye
// to the start: start * perspective - eye. `perspective` is 1, or 0 for an orthographic camera;
// then `eye` is minus the direction of all rays. As the plane is near the volume, numbers are small
// however far the eye is.
struct rays {
    float anchor[3], across[3], down[3], eye[3];
    float perspective;
    float begin; // t of the near plane, equal for all rays; may be negative
};

// `dim`: samples of the volume.
void rays_of(const struct rays_camera *camera, const uint32_t dim[3], struct rays *out);

#define RAYS_LIGHT_CELLS 4096 // length of a ray to the light, see struct rays_light

// `towards`: the direction to the light, of length 1, in view space. `width`: the tangent of the
// angle between the middle and the rim of the light.
void rays_light_of(
    const struct rays_camera *camera, const double towards[3], double width,
    struct rays_light *out);

// Inverts the linear part of `m`, which is column-major like to_view. The inverse is rows[r][c].
void rays_invert(const double m[4][4], double rows[3][3]);

// One ray: start + t * direction, for t from `begin` to `end`, where it leaves the volume's box. No
// component of the direction is 0.
struct ray {
    float start[3], direction[3];
    float begin, end;
};

// The ray of pixel (x, y), by the operations of shaders/lib/ray.glsl: all floats equal the
// device's. False: the ray misses the volume's box.
bool rays_at(
    const struct rays *rays, const uint32_t dim[3], uint32_t x, uint32_t y, struct ray *out);
