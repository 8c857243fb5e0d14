// The view: all that a person chooses and that makes the picture of a volume. The window changes it
// by keys, mouse and panel, `cubist render` fills it from its options, the renderer reads it.
// Nothing in it belongs to a device or to a volume, so it outlives both.
#pragma once

#include "app/picture/camera.h"
#include "app/picture/placement.h"

struct method; // of compaction

// Zero-initialised: what is drawn on opening, once isovalue, method and camera are set.
struct view {
    double iso;
    bool iso_is_auto; // it is the volume's own, and another volume brings another one
    const struct method *method;
    bool every_brick; // is visited, also those that the isovalue misses
    struct camera camera;
    enum up up; // the volume's own until `up_is_set`
    bool up_is_set;
    bool wireframe; // the triangles' edges and no faces
    bool edges;     // the triangles' edges on the faces
    bool flat;      // each triangle has one normal, its own: no smooth shading
    bool box;       // the volume's bounding box
    bool axes;      // the cross of the world's axes in the window's corner
};

// Where a volume stands in this view; sets view->up where nobody has chosen it.
void view_place(struct view *view, const struct volume *volume, struct placement *out);
