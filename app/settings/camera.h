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
static const float CAMERA_MARGIN = 0.08f; // on each side of what is fitted, of the picture

enum camera_view {
    CAMERA_FRONT, // from -y
    CAMERA_BACK,
    CAMERA_RIGHT, // from +x
    CAMERA_LEFT,
    CAMERA_TOP, // from +z
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

// Sets the direction on opening, in perspective. Target and distance stay: a fit sets them.
void camera_reset(struct camera *camera);

// Moves target and distance so that the points fill the viewport, in its middle, with a margin;
// keeps the direction. `count` at least 1. `least`: at least so much is seen to each side of the
// target, so that a few points do not fill the viewport.
void camera_fit(
    struct camera *camera, const float (*at)[3], size_t count, float least, float width,
    float height);

// The same for a camera that will turn by `turn` (camera_turn_about): nothing leaves the viewport
// on its way. The target is the middle of the points' box.
void camera_fit_turning(
    struct camera *camera, const float (*at)[3], size_t count, float least, float turn, float width,
    float height);

// The unit vectors of the picture's directions, in world space.
void camera_axes(const struct camera *camera, float right[3], float up[3], float back[3]);

void camera_set_view(struct camera *camera, enum camera_view view);

// Looks from this direction with a level horizon. The azimuth is positive to the right of the
// front, the elevation above the horizon. Target and distance stay.
void camera_look(struct camera *camera, float azimuth, float elevation);

// Puts the camera there, within the limits of zoom and pan. The orientation is normalised unless it
// has unit length already.
void camera_place(
    struct camera *camera, const float target[3], float distance, const float orientation[4]);

void camera_step(struct camera *camera, enum camera_step step); // 15 degrees

// A drag of (dx, dy) pixels, y down, at cursor (x, y) in a viewport of width x height pixels.
void camera_orbit(struct camera *camera, float dx, float dy, float width, float height);
void camera_pan(struct camera *camera, float dx, float dy, float height);
void camera_roll(
    struct camera *camera, float x, float y, float dx, float dy, float width, float height);

// Moves `factor` times as close, within the limits of zoom.
void camera_approach(struct camera *camera, float factor);

// Turns the camera by an angle around the vertical through its target, to the right.
void camera_turn_about(struct camera *camera, float angle);

// The camera at `share` of the way between two: the shortest rotation at even speed, the distance
// in even ratios. Projection and gestures are those of `from`.
void camera_between(
    const struct camera *from, const struct camera *to, float share, struct camera *out);

// steps > 0 moves closer.
void camera_zoom(struct camera *camera, float steps);

// The same, but the point under the cursor (in the target's plane) stays there.
void camera_zoom_at(
    struct camera *camera, float steps, float x, float y, float width, float height);

// Switches between turntable and trackball. The picture does not change, except that a turntable's
// horizon becomes level.
void camera_toggle_trackball(struct camera *camera);

// What is drawn of target and orientation: they are rounded to multiples of 2^-27. That is far
// below a pixel, and lets a text with few digits state a camera exactly (pose.h).
void camera_round(const struct camera *camera, float target[3], float orientation[4]);

// Pixels that a length of 1 has across the picture at the target, in a viewport of so many pixels.
// In an orthographic picture it has them everywhere.
float camera_pixels(const struct camera *camera, float height);

void camera_matrices(
    const struct camera *camera, float width, float height, struct camera_matrices *out);
