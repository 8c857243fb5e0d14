// The outline of a plane in a picture: the polygon in which the plane meets the volume's box.
#pragma once

#include "app/settings/plane.h"

#define OUTLINE_MOST 12 // corners

// Corners follow each other around the polygon. There are none if the plane misses the box, or if
// the box is behind the eye.
struct outline {
    uint32_t count;
    float grid[OUTLINE_MOST][3]; // in grid units
    float at[OUTLINE_MOST][2];   // in pixels from the picture's upper left corner, y down
    float plane[4];              // in grid units, as in struct cuts
    float clip[4][4];            // grid units to clip space, column-major
    float size[2];               // of the picture in pixels
    float sample;                // pixels that a sample across the normal takes, about
};

void outline_of(
    const struct plane *plane, const struct placement *placement, const struct camera *camera,
    float width, float height, struct outline *out);

// The distance in pixels from (x, y) to the nearest place on the outline, and this place in grid
// units. Infinite without corners.
float outline_nearest(const struct outline *outline, float x, float y, float grid[3]);

// How many samples along its normal a plane moves when the mouse drags a point of it, in grid
// units, by (dx, dy) pixels. Where the normal points to the eye, the plane follows moves up.
float outline_pull(const struct outline *outline, const float grid[3], float dx, float dy);
