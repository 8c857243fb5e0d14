// The view: all that a person chooses for the picture of a volume. The window changes it by keys,
// mouse and panel; `cubist render` fills it from its options; the renderer reads it. Nothing in it
// belongs to a device or a volume, so it outlives both.
#pragma once

#include "app/picture/camera.h"
#include "app/picture/placement.h"

struct method; // of compaction

// Zero-initialised: what is drawn on opening, after isovalue, method and camera are set.
struct view {
    double iso;
    bool iso_is_auto; // it is the volume's own; it changes with the volume
    const struct method *method;
    bool every_brick; // visit all bricks, also those that the isovalue misses
    struct camera camera;
    enum up up; // the volume's own unless `up_is_set`
    bool up_is_set;
    bool wireframe; // only the triangles' edges, no faces
    bool edges;     // the triangles' edges on the faces
    bool flat;      // flat shading: each triangle has its own normal
    bool box;       // the volume's bounding box
    bool axes;      // the cross of the world's axes in the corner of the window
};

// The placement of a volume in this view. Sets view->up unless the person has chosen it.
void view_place(struct view *view, const struct volume *volume, struct placement *out);
