// Volumes coming and going.
#pragma once

#include "app/viewer/state.h"

// Starts on a file (NULL: the generated volume), in place of one that is on its way.
bool opening_start(struct viewer *viewer, const char *path, struct problem *problem);
void opening_cancel(struct viewer *viewer);

// Starts on the file `step` away in the folder of the last one that was tried.
void opening_step(struct viewer *viewer, int step);

// Shows what has been read, once it has. `turn` is taken while it goes to the device. False: the
// problem must end the viewer.
bool opening_adopt(struct viewer *viewer, viewer_turn *turn, struct problem *problem);
