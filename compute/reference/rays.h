// Computes the rays of a picture in double, from the camera, the volume's place in the scene, and
// the pixel. The device computes its rays in another way, from rounded matrices
// (compute/casting/rays.h). They are compared with the rays of this file.
#pragma once

#include "volumes/volume.h"

// A ray: start + t * direction, for t from `begin` to `end`; both may be infinite. In grid units
// (samples at integers). The device's rays have the same form, so the reference can cast them too.
struct reference_ray {
    double start[3], direction[3];
    double begin, end;
};

// A camera in scene space, in which every volume is a box around the origin with a half diagonal of
// 1. It looks at the target along -z of its own axes; y is up.
struct reference_camera {
    double target[3];
    double orientation[4]; // of the camera's axes in the scene: a quaternion x, y, z, w, any length
    double distance;       // from the eye to the target
    double slope;          // half the height that is seen at a distance of 1
    bool ortho;            // orthographic: sizes are everywhere as at the target
    uint32_t width, height; // pixels; they are square
};

// From grid units to scene space: the point x, y, z is at x * to[0] + y * to[1] + z * to[2] +
// to[3].
struct reference_model {
    double to[4][3];
};

// The volume's place in the scene. axes[i] is the direction of its world's axis i in the scene.
void reference_model_of(
    const struct volume *volume, const float axes[3][3], struct reference_model *out);

// The ray through the point (x, y) of the picture, in pixels from the upper left corner: y points
// down, and the centre of the first pixel is at (0.5, 0.5). t is the distance from the eye along
// the camera's axis, in scene units. The ray begins at the eye, if orthographic at -INFINITY. It
// ends at INFINITY.
void reference_ray_of(
    const struct reference_camera *camera, const struct reference_model *model, double x, double y,
    struct reference_ray *out);
