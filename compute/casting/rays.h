// The rays of a picture: one through the centre of each pixel, in grid units (samples at integers).
#pragma once

#include "shaders/shared/casting.h"

#include <stdbool.h>
#include <stdint.h>

// What a camera says about them.
struct rays_camera {
    double to_view[4][4]; // grid units to view space, column-major, affine; the eye looks along -z
    // Half the width and height of what is seen, in view space; at distance 1 if not orthographic.
    // y of the picture points down, of view space up.
    double half_width, half_height;
    bool ortho;
    double near_plane;      // its distance from the eye; orthographic: may be negative
    uint32_t width, height; // pixels
};

// All rays of a picture. The ray of pixel (x, y) starts at `anchor + (x + 1/2) * across + (y + 1/2)
// * down`, on a plane near the volume's centre that faces the camera. Its direction is from the eye
// to there: start * perspective - eye. Perspective is 1, or 0 for an orthographic camera; then
// `eye` is minus the common direction. So the numbers are small however far the eye is.
struct rays {
    float anchor[3], across[3], down[3], eye[3];
    float perspective;
    float begin; // t of the near plane, the same for all; may be negative
};

// `dim`: samples of the volume.
void rays_of(const struct rays_camera *camera, const uint32_t dim[3], struct rays *out);

#define RAYS_LIGHT_CELLS 4096 // see struct rays_light

// `towards` is of length 1, in view space. `width`: the tangent of the angle between the middle and
// the rim of the light.
void rays_light_of(
    const struct rays_camera *camera, const double towards[3], double width,
    struct rays_light *out);

// The inverse of the linear part of a matrix, column-major as to_view: rows[r][c].
void rays_invert(const double m[4][4], double rows[3][3]);

// One ray: start + t * direction, for t from `begin` to `end`, where it leaves the volume's box. No
// component of the direction is 0.
struct ray {
    float start[3], direction[3];
    float begin, end;
};

// The ray of a pixel, by the operations of shaders/lib/ray.glsl, so that all floats are the same.
// False: it misses the volume's box.
bool rays_at(
    const struct rays *rays, const uint32_t dim[3], uint32_t x, uint32_t y, struct ray *out);
