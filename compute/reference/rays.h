// The rays of a picture in double, from what a person has chosen: the camera, the volume's place in
// the scene, and the pixel. The device makes its rays of rounded matrices, and in another way
// (compute/casting/rays.h). This is what they are held to.
#pragma once

#include "volumes/volume.h"

// start + t * direction, for t from `begin` to `end`; both may be infinite. In grid units (samples
// at integers). Rays of the device have the same form, so the reference casts either.
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
    bool ortho;            // what is seen has everywhere the size that it has at the target
    uint32_t width, height; // pixels; they are square
};

// From grid units to scene space: the point x, y, z is at x * to[0] + y * to[1] + z * to[2] +
// to[3].
struct reference_model {
    double to[4][3];
};

// The volume's place in the scene. Column i of `axes` is where its world's axis i is there.
void reference_model_of(
    const struct volume *volume, const float axes[3][3], struct reference_model *out);

// The ray through a place of the picture, counted in pixels from its upper left corner: y points
// down, and the centre of the first pixel is at (0.5, 0.5). t is how far a point is before the eye,
// along the camera's axis, in scene units. The ray begins at the eye; in an orthographic picture it
// has no begin. No end.
void reference_ray_of(
    const struct reference_camera *camera, const struct reference_model *model, double x, double y,
    struct reference_ray *out);
