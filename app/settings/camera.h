// The camera: where it looks, how it moves under the mouse, and its matrices.
//
// It lives in scene space, in which every volume is a box around the origin with a half diagonal of
// 1 (see placement.h); z is up. Angles are in radians. Zero-initialise it, then call camera_reset
// and camera_fit.
#pragma once

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// cglm's types are spelled out, so that this header does not need cglm: vec3, versor (x, y, z, w)
// and mat4 (column-major) are arrays of floats.

static const float CAMERA_FIELD_OF_VIEW =
    0.5236f; // 30 degrees: little distortion, but visible depth
static const float CAMERA_DISTANCE_MIN = 0.02f, CAMERA_DISTANCE_MAX = 100.0f;
static const float CAMERA_MARGIN = 0.08f; // share of the picture that a fit leaves on each side

enum camera_view {
    CAMERA_FRONT, // seen from -y
    CAMERA_BACK,
    CAMERA_RIGHT, // seen from +x
    CAMERA_LEFT,
    CAMERA_TOP, // seen from +z
    CAMERA_BOTTOM,
    CAMERA_ISOMETRIC,
};

enum camera_step { CAMERA_STEP_LEFT, CAMERA_STEP_RIGHT, CAMERA_STEP_UP, CAMERA_STEP_DOWN };

struct camera {
    float target[3];
    float distance; // from the eye to the target
    bool trackball; // free rotation; false: a turntable, whose horizon stays level
    bool ortho;
    float azimuth, elevation, roll;   // the turntable's state
    alignas(16) float orientation[4]; // camera to scene, unit quaternion; always up to date
};

// The matrices for a viewport of `width` x `height` pixels. In `projection` y points down and depth
// is 0..1, as in Vulkan.
struct camera_matrices {
    float view[4][4];
    float projection[4][4];
};

// Sets the first direction, and perspective. Keeps target and distance, which a fit sets.
void camera_reset(struct camera *camera);

// Moves target and distance so that the points fill the viewport, centred and with a margin; keeps
// the direction. `count` is 1 or more. `least`: a length of the scene that stays visible to each
// side of the target, so that a few close points do not fill the viewport.
void camera_fit(
    struct camera *camera, const float (*at)[3], size_t count, float least, float width,
    float height);

// Like camera_fit, for a camera that will turn by `turn` (camera_turn_about): no point leaves the
// viewport during the turn. The target becomes the middle of the points' box.
void camera_fit_turning(
    struct camera *camera, const float (*at)[3], size_t count, float least, float turn, float width,
    float height);

// The unit vectors to the right, up and towards the eye in the picture, in scene space.
void camera_axes(const struct camera *camera, float right[3], float up[3], float back[3]);

void camera_set_view(struct camera *camera, enum camera_view view);

// Looks from this direction with a level horizon. A positive azimuth is to the right of the front,
// a positive elevation above the horizon. Keeps target and distance.
void camera_look(struct camera *camera, float azimuth, float elevation);

// Sets target, distance and orientation, within the limits of zoom and pan. Normalises the
// orientation unless it already has unit length.
void camera_place(
    struct camera *camera, const float target[3], float distance, const float orientation[4]);

void camera_step(struct camera *camera, enum camera_step step); // 15 degrees

// Follow a drag by (dx, dy) pixels, y down, to (x, y) in a viewport of width x height pixels.
void camera_orbit(struct camera *camera, float dx, float dy, float width, float height);
void camera_pan(struct camera *camera, float dx, float dy, float height);
void camera_roll(
    struct camera *camera, float x, float y, float dx, float dy, float width, float height);

// Divides the distance by `factor`, within the limits of zoom.
void camera_approach(struct camera *camera, float factor);

// Turns the camera to the right by an angle, around the vertical axis through its target.
void camera_turn_about(struct camera *camera, float angle);

// Interpolates: `share` is 0 at `from`, 1 at `to`. The rotation is the shortest, at constant speed;
// the distance changes by equal ratios. Takes projection and gestures from `from`.
void camera_between(
    const struct camera *from, const struct camera *to, float share, struct camera *out);

// steps > 0 moves closer.
void camera_zoom(struct camera *camera, float steps);

// Like camera_zoom, but the point under the cursor (in the target's plane) stays under it.
void camera_zoom_at(
    struct camera *camera, float steps, float x, float y, float width, float height);

// Switches between turntable and trackball. The picture does not change, except that a turntable's
// horizon becomes level.
void camera_toggle_trackball(struct camera *camera);

// Target and orientation as pictures use them: rounded to multiples of 2^-27. That is far below a
// pixel, and lets a text with few digits state a camera exactly (pose.h).
void camera_round(const struct camera *camera, float target[3], float orientation[4]);

// How many pixels a length of 1 at the target takes in a viewport that is `height` pixels high. In
// an orthographic picture the number is the same at every depth.
float camera_pixels(const struct camera *camera, float height);

void camera_matrices(
    const struct camera *camera, float width, float height, struct camera_matrices *out);
