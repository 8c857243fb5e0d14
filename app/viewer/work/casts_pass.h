// What the window does between frames to cast over the parts of a volume, and what it does where
// that fails.
#pragma once

#include "app/viewer/state.h"

// Begins a cast of the view's rays, as a draft or in full; no other one is running, and no
// extraction. Where rays cannot be drawn, a message says why and the view goes back to triangles.
// False: the problem must end the viewer.
bool casts_pass_begin(struct viewer *viewer, enum due_picture picture, struct problem *problem);

// Goes on with it for some milliseconds. The same.
bool casts_pass_go_on(struct viewer *viewer, struct problem *problem);
