// Planes that cut the picture of a volume, or that show its samples.
#pragma once

#include "app/settings/camera.h"
#include "app/settings/placement.h"
#include "shaders/shared/casting.h"

#define PLANES_TEXT 512 // bytes for planes as text, with the terminating 0

enum plane_kind {
    PLANE_NONE,
    PLANE_X, // across an axis of the file's coordinates
    PLANE_Y,
    PLANE_Z,
    PLANE_I, // across an axis of the grid
    PLANE_J,
    PLANE_K,
    PLANE_VIEW,   // across the line of sight; `value` is a percentage
    PLANE_NORMAL, // across `normal`, in the file's coordinates
};

// A plane is where the coordinate along its axis is `value`. It keeps what is further along the
// axis. The axis of PLANE_VIEW points away from the eye.
struct plane {
    double normal[3]; // of PLANE_NORMAL
    double value;     // the coordinate, or a percentage of the coordinates of the volume's box
    double end;       // where the plane moves to, if `moves`
    enum plane_kind kind;
    uint8_t only; // bits of the contours that it cuts; 0: all. The same for planes of one text
    bool is_percent;
    bool flipped; // keeps the other side. Of PLANE_NORMAL it is false: see plane_flip
    bool moves;   // in a film
    double away[PLANE_NORMAL + 1]; // across each axis that it had: percent from the box's middle
};

// Planes in grid units, where samples are at integers. (x, y, z) is kept by a plane if
// at[0] * x + at[1] * y + at[2] * z + at[3] >= 0. The first three have length 1.
struct cuts {
    uint32_t count;
    float at[PLANES_MOST][4];
    uint32_t contours; // bits of the contours that are cut
    bool all;          // only what no plane keeps is removed
};

// Reads up to PLANES_MOST planes, such as "x=50%,-j=12" or "1,1,0,20;view=50%". A plane has a "-"
// in front if it is flipped, and perhaps "@1,3" behind: the contours that are cut. A value may be
// A:B, for a plane that moves. Planes are separated by ";", or by "," before one that has a "=".
// Returns NULL, or what was expected where the text has another form.
const char *planes_parse(const char *text, struct plane out[PLANES_MOST]);

// Writes planes as planes_parse reads them.
const char *planes_text(const struct plane planes[PLANES_MOST], char text[PLANES_TEXT]);

// The name of its axis: "x", or "normal".
const char *plane_name(const struct plane *plane);

// The number of planes; those that are PLANE_NONE follow them.
uint32_t planes_count(const struct plane planes[PLANES_MOST]);
// Adds a plane through the middle of the box, across another axis than a plane before it. False:
// there are PLANES_MOST.
bool planes_add(struct plane planes[PLANES_MOST]);
void planes_remove(struct plane planes[PLANES_MOST], uint32_t which);
// Turns the plane: x, y, z, view, and x again. It goes to where it was across this axis, or through
// the middle of the box.
void plane_turn(
    struct plane *plane, const struct placement *placement, const struct camera *camera);

// Whether no plane has a side or contours: "-" and "@1,3" say nothing of a section.
bool planes_only_show(const struct plane planes[PLANES_MOST]);

// Removes all planes if one is at a place of the file, which has no meaning in another file.
void planes_forget_places(struct plane planes[PLANES_MOST]);

// Lets the plane keep its other side.
void plane_flip(struct plane *plane);

// Where a plane can be, as coordinates along its axis: of the volume's box, and what one sample is.
struct plane_span {
    double low, high, sample;
};

// `camera`: for PLANE_VIEW.
void plane_span(
    const struct plane *plane, const struct placement *placement, const struct camera *camera,
    struct plane_span *out);

// The coordinate of the plane.
double plane_at(const struct plane *plane, const struct plane_span *span);

// Says that the plane has no effect, or no other: "removes nothing". NULL: it has one. `cuts`: the
// plane removes what is on one side; false: it shows samples.
const char *plane_remark(const struct plane *plane, const struct plane_span *span, bool cuts);

// Moves the plane to this coordinate, but not out of the box. Afterwards its value is a coordinate,
// if its kind allows that, rounded to a digit that is at most `step`.
void plane_place(struct plane *plane, const struct plane_span *span, double at, double step);

// Whether one of the planes moves.
bool planes_move(const struct plane planes[PLANES_MOST]);

// Moves the planes that move: `share` is 0 at their first value and 1 at their last one.
void planes_at(struct plane planes[PLANES_MOST], double share);

// Converts a plane to grid units, as in struct cuts. `camera`: for PLANE_VIEW.
void plane_resolve(
    const struct plane *plane, const struct placement *placement, const struct camera *camera,
    float out[4]);

// Converts the planes to grid units, and leaves out those that are PLANE_NONE. `camera`: for
// PLANE_VIEW. out->all is false.
void planes_resolve(
    const struct plane planes[PLANES_MOST], const struct placement *placement,
    const struct camera *camera, struct cuts *out);
