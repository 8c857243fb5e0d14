// A volume that the device has no room for at once, or not for its surface beside it. That is made
// slab by slab, between two frames, and each slab's share is kept on the device, cut to size;
// meanwhile the window lives on with the surface before, until the new one is whole. Everything is
// held to the budget: what stays of the slabs gives way to the surface, and so does at last the
// surface before, of which then only the picture stays.
#pragma once

#include "app/viewer/state.h"

// Whether the device has no room for the volume at once; false: nor slab by slab.
bool making_is_larger(
    struct viewer *viewer, struct document *document, bool *larger, struct problem *problem);
bool making_cut(struct viewer *viewer, struct document *document, struct problem *problem);

// The same for a volume that is on the device as a whole, where that leaves too little room. False:
// it stays there, as without a budget or from a file that has changed the samples are nowhere else,
// or is shown no more.
bool making_recut(struct viewer *viewer);

// Makes the view's surface where one is due. `turn` is taken meanwhile. False: the problem must end
// the viewer.
bool making_surface(struct viewer *viewer, viewer_turn *turn, struct problem *problem);

// The mesh that is shown.
bool making_mesh(
    struct viewer *viewer, viewer_turn *turn, struct mesh *out, struct problem *problem);
